import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { buildConsole } from './consoleBuild.mjs';
import { root } from './processes.mjs';
import { browserTests, conclude, lint, sum, typecheck, unitTests, unused } from './stages.mjs';
import { ensureTestTools } from './testTools.mjs';

/** Runs all tests. Everything they need is installed first, so that nothing is downloaded in between. */
export async function testAll(runtime) {
  const journeys = hasJourneys();
  const browser = journeys ? await orFailure(ensureBrowser(runtime)) : undefined;
  await ensureTestTools(runtime);
  const results = await Promise.all([typecheck(runtime), lint(runtime), unused(runtime)]);
  results.push(await unitTests(runtime));
  if (journeys) results.push(await inBrowser(runtime, browser));
  conclude(sum(results));
}

async function inBrowser(runtime, browser) {
  const failed = {
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: ['the browser or the console for the journeys'],
  };
  if (!browser) return failed;
  const built = await orFailure(buildConsole(runtime).then(() => true));
  return built ? browserTests(runtime, browser) : failed;
}

/** Reports a failure instead of throwing, so that the remaining stages run and the last line is always the count. */
async function orFailure(work) {
  try {
    return await work;
  } catch (error) {
    console.error(error.message);
    return undefined;
  }
}

function hasJourneys() {
  const folder = join(root, 'e2e');
  return existsSync(folder) && readdirSync(folder).some(name => name.endsWith('.e2e.ts'));
}
