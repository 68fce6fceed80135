import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { buildConsole } from './consoleBuild.mjs';
import { root } from './processes.mjs';
import { browserTests, conclude, failed, lint, sum, typecheck, unitTests, unused } from './stages.mjs';
import { ensureTestTools } from './testTools.mjs';

/** Runs all tests. Everything they need is installed first, so that nothing is downloaded in between. */
export async function testAll(runtime) {
  const journeys = hasJourneys();
  const browser = journeys ? await orFailure(ensureBrowser(runtime)) : undefined;
  await ensureTestTools(runtime);
  // Beside each other, because each alone leaves a core idle now and then.
  const checks = [typecheck(runtime), lint(runtime), unused(runtime)];
  // Before the tests: the servers that they start give out the console.
  const built = browser && (await orFailure(buildConsole(runtime).then(() => true)));
  const results = await Promise.all([...checks, unitTests(runtime)]);
  if (journeys) {
    const missing = failed('the browser or the console for the journeys');
    results.push(built ? await browserTests(runtime, browser) : missing);
  }
  conclude(sum(results));
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
