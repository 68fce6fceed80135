import { CallFailed } from '#contract/client.ts';
import { readOptions, UsageFault, usage } from './options.ts';
import { showProgress, tableOf } from './report.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate`: exits with 0 if all checks succeed, 1 if not, and 2 if the command is not valid. */
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

/** The sentence of a failed call. If there was no answer, it names the URL and `--url`. */
function sentenceOf({ message, reason }: CallFailed): string {
  if (reason !== 'CONNECTION_ERROR') return `${message} (${reason})`;
  const { url } = readOptions(args, process.env);
  return `Nothing answers at ${url}. Check that Mooring is running, and that --url is its address.`;
}
