import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartFault } from '#server/startFault.ts';
import type { Log } from '../postgres.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  canReach,
  handOver,
  makeServiceHome,
  ownerOfFolder,
  runAs,
  type ServiceUser,
  serviceHome,
  serviceUser,
} from './serviceUser.ts';

/** A folder of PostgreSQL's, ready to be served. */
export interface Cluster {
  /** Without symbolic links. */
  folder: string;
  user: ServiceUser | undefined;
  binaries: Binaries;
  /** Where the server writes what it has to say. */
  logFile: string;
}

/** Finds the database in DATA_DIR, or makes it on the first start. */
export async function prepareCluster(dataDir: string, log: Log, native?: string): Promise<Cluster> {
  const entry = join(dataDir, 'postgres');
  const logFile = join(dataDir, 'postgres.log');
  if (lstatSync(entry, { throwIfNoEntry: false })) {
    const folder = existing(entry);
    const user = ownerOfFolder(folder);
    if (!canReach(user, folder)) throw new StartFault(outOfReach(folder, user));
    const binaries = findBinaries(user, dataDir, native);
    checkMajor(folder, binaries.major);
    return { folder, user, binaries, logFile };
  }
  const user = serviceUser();
  const binaries = findBinaries(user, dataDir, native);
  if (canReach(user, dataDir)) {
    await initialise(entry, user, binaries);
    return { folder: realpathSync(entry), user, binaries, logFile };
  }
  makeServiceHome();
  const folder = join(serviceHome, `postgres-${randomBytes(4).toString('hex')}`);
  await initialise(folder, user, binaries);
  symlinkSync(folder, entry);
  log.warn(
    `PostgreSQL runs as user ${user?.name}, who cannot reach ${dataDir}: the database lies in ${folder}.`,
  );
  return { folder, user, binaries, logFile };
}

/** The password of the role `mooring`; it lies with the data, so that it goes where they go. */
export function secretOf(folder: string): string {
  return readFileSync(join(folder, 'mooring.secret'), 'utf8').trim();
}

function existing(entry: string): string {
  try {
    const folder = realpathSync(entry);
    if (existsSync(join(folder, 'PG_VERSION'))) return folder;
  } catch {
    throw new StartFault(
      `${entry} points to a folder that is gone. Bring it back, or remove ${entry} to begin anew.`,
    );
  }
  throw new StartFault(`${entry} is not a folder of PostgreSQL. Move it away, or choose another DATA_DIR.`);
}

function outOfReach(folder: string, user: ServiceUser | undefined): string {
  return (
    `PostgreSQL runs as user ${user?.name}, who cannot reach ${folder}. ` +
    'Allow it to pass through the folders above (chmod o+x), or choose another DATA_DIR.'
  );
}

function checkMajor(folder: string, major: number): void {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (found === String(major)) return;
  throw new StartFault(
    `The database in ${folder} was written by PostgreSQL ${found}; this version of Mooring runs PostgreSQL ${major}. ` +
      'Start the version of Mooring that wrote it and run "npm run mooring -- backup", ' +
      'then restore the backup here with a new DATA_DIR.',
  );
}

/** Everything happens in a draft folder: an interrupted first start leaves nothing that looks finished. */
async function initialise(folder: string, user: ServiceUser | undefined, binaries: Binaries): Promise<void> {
  const draft = `${folder}.new`;
  const bin = join(binaries.root, 'bin');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  chmodSync(draft, 0o700);
  if (user) handOver(draft, user);
  await runAs(user, join(bin, 'initdb'), [
    ...[
      '-D',
      draft,
      '--username=postgres',
      '--auth=reject',
      '--encoding=UTF8',
      '--no-sync',
      '--no-instructions',
    ],
    // The built-in locale sorts alike on every machine, and no update of a system library breaks an index.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // The password has 256 random bits: stretching it would only slow every connection down.
    ...['--set', 'scram_iterations=1'],
  ]);
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(join(draft, 'mooring.secret'), `${secret}\n`, { mode: 0o600 });
  // Nobody but the platform's own role comes in, and that one is no superuser: what slips through a query
  // cannot read files or start programs.
  const doors = ['local all mooring scram-sha-256', 'host all mooring 127.0.0.1/32 scram-sha-256', ''];
  writeFileSync(join(draft, 'pg_hba.conf'), doors.join('\n'));
  if (user) handOver(draft, user);
  const role = `create role mooring login createdb password '${secret}'`;
  await runAs(
    user,
    join(bin, 'postgres'),
    ['--single', '-D', draft, 'postgres'],
    `${role}\ncreate database mooring owner mooring\n`,
  );
  await runAs(user, join(bin, 'initdb'), ['-D', draft, '--sync-only']);
  renameSync(draft, folder);
  syncFolder(dirname(folder));
}

/** Makes the rename itself durable. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
