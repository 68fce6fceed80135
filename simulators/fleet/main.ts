import { CallFailed } from '#contract/client.ts';
import { readOptions, UsageFault, usage } from './options.ts';
import { showProgress, tableOf } from './report.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate`: ends with 0 when all is as it should be, 1 when not, 2 when the command was not understood. */
const args = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

if (args.length === 0 || args.includes('--help')) console.log(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const progress = showProgress(args.includes('--json') ? process.stderr : process.stdout);
  try {
    const options = readOptions(args, process.env);
    const verdicts = await simulate(options, progress, stop.signal);
    progress.stop();
    console.log(options.json ? JSON.stringify({ results: verdicts }, null, 2) : tableOf(verdicts));
    if (stop.signal.aborted) return 130;
    return verdicts.every(({ ok }) => ok !== false) ? 0 : 1;
  } catch (error) {
    progress.stop();
    if (error instanceof UsageFault) console.error(`${error.message}\n\n${usage}`);
    else if (error instanceof CallFailed) console.error(sentenceOf(error));
    else console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

/** Who starts a fleet has passed the address, or left it out. */
function sentenceOf({ message, reason }: CallFailed): string {
  if (reason !== 'CONNECTION_ERROR') return `${message} (${reason})`;
  const { url } = readOptions(args, process.env);
  return `Nothing answers at ${url}. Check that Mooring is running, and that --url is its address.`;
}
