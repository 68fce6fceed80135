import { readConfig } from '#server/infra/config.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { acceptKeyCommand } from './operator/acceptKey.ts';
import { auditVerify } from './operator/audit.ts';
import { backup } from './operator/backup.ts';
import { clockConfirm } from './operator/clock.ts';
import { developerCommands } from './operator/developers.ts';
import { doctor } from './operator/doctor.ts';
import { moduleCommands } from './operator/modules.ts';
import { organizationCommands } from './operator/organizations.ts';
import { withPlatform } from './operator/platform.ts';
import { restore } from './operator/restore.ts';
import { seed } from './operator/seed.ts';
import { sudoCommands } from './operator/sudo.ts';
import { version } from './operator/version.ts';
import { type Command, UsageFault } from './operator/words.ts';

/** What the operator of an installation can do on its machine. */
const commands: Command[] = [
  ...organizationCommands,
  ...developerCommands,
  ...sudoCommands,
  ...moduleCommands,
  backup,
  restore,
  seed,
  auditVerify,
  clockConfirm,
  acceptKeyCommand,
  doctor,
  version,
];

const words = process.argv.slice(2);
const command = commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));
if (!command) {
  console.log(help());
  process.exit(words.length === 0 || words[0] === 'help' ? 0 : 2);
}
try {
  const given = words.slice(command.name.split(' ').length);
  const config = readConfig({ ...process.env });
  const lines = command.alone
    ? await command.alone(config, given)
    : await withPlatform(config, platform => command.run(platform, given));
  console.log(lines.join('\n'));
} catch (error) {
  if (error instanceof UsageFault)
    console.error(`${error.message}\nUsage: npm run mooring -- ${command.usage}`);
  else if (error instanceof StartFault) console.error(error.message);
  else throw error;
  process.exit(2);
}

function help(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2;
  const lines = commands.map(({ usage, says }) => `  ${usage.padEnd(width)}${says}`);
  return ['Usage: npm run mooring -- <command>', '', ...lines].join('\n');
}
