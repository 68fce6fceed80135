import { accountCommands } from './developer/account.ts';
import { bundleCreate } from './developer/bundle.ts';
import { channelSet } from './developer/channel.ts';
import { type Command, readWords, UsageFault } from './developer/command.ts';
import { devicesList } from './developer/devices.ts';
import { eventsTail } from './developer/events.ts';
import { firmwareUpload } from './developer/firmware.ts';
import { helpOf, helpOfOne } from './developer/help.ts';
import { projectsList } from './developer/projects.ts';
import { rolloutStatus } from './developer/rollout.ts';
import { callerOf, signedIn } from './developer/signedIn.ts';
import { closeTerminal, failureOf, terminalOf } from './developer/terminal.ts';

/** What a developer can do from a terminal or a pipeline, with an access token. */
const commands: Command[] = [
  ...accountCommands,
  projectsList,
  firmwareUpload,
  bundleCreate,
  channelSet,
  rolloutStatus,
  devicesList,
  eventsTail,
];

// It is not an error if a reader such as `head` closes the pipe early.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await main(process.argv.slice(2));
closeTerminal();

async function main(words: string[]): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));
  if (!command) {
    const isHelp = words.length === 0 || words[0] === 'help' || words.includes('--help');
    (isHelp ? console.log : console.error)(helpOf(commands));
    return isHelp ? 0 : 2;
  }
  const json = words.includes('--json');
  try {
    await run(command, words.slice(command.name.split(' ').length), json);
    return 0;
  } catch (error) {
    const failure = failureOf(error);
    const usage = error instanceof UsageFault ? ['', helpOfOne(command)] : [];
    console.error(json ? JSON.stringify(failure.json) : [...failure.lines, ...usage].join('\n'));
    return failure.exit;
  }
}

async function run(command: Command, given: string[], json: boolean): Promise<void> {
  const words = readWords(command, given);
  if (words.has('help')) return console.log(helpOfOne(command));
  const terminal = terminalOf({ json });
  if (command.alone) return command.alone(words, terminal);
  await command.run?.({ words, terminal, ...callerOf(signedIn()) });
}
