import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#server/infra/db/postgres.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { initialise } from './initialise.ts';
import {
  canReach,
  makeServiceHome,
  ownerOfFolder,
  type ServiceUser,
  serviceHome,
  serviceUser,
} from './serviceUser.ts';

/** A PostgreSQL data folder that is ready to be served. */
export interface Cluster {
  /** Without symbolic links. */
  folder: string;
  user: ServiceUser | undefined;
  binaries: Binaries;
  /** The log file of the server. */
  logFile: string;
}

/** Finds the database in DATA_DIR, or creates it on the first start. */
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
  if (letThrough(user, dataDir)) {
    await initialise(entry, user, binaries);
    return { folder: realpathSync(entry), user, binaries, logFile };
  }
  makeServiceHome();
  const folder = join(serviceHome, `postgres-${randomBytes(4).toString('hex')}`);
  await initialise(folder, user, binaries);
  symlinkSync(folder, entry);
  log.warn(
    `PostgreSQL runs as user ${user?.name}, who cannot access ${dataDir}: the database is in ${folder}.`,
  );
  return { folder, user, binaries, logFile };
}

/** Whether the service user can reach DATA_DIR. We may open the folder itself, for passing through only. */
function letThrough(user: ServiceUser | undefined, dataDir: string): boolean {
  if (canReach(user, dataDir)) return true;
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  return canReach(user, dataDir);
}

/** The password of the role `mooring`, stored with the data so that it moves with it. */
export function secretOf(folder: string): string {
  return readFileSync(join(folder, 'mooring.secret'), 'utf8').trim();
}

function existing(entry: string): string {
  try {
    const folder = realpathSync(entry);
    if (existsSync(join(folder, 'PG_VERSION'))) return folder;
  } catch {
    throw new StartFault(
      `${entry} points to a folder that no longer exists. Restore it, or remove ${entry} to start with an empty database.`,
    );
  }
  throw new StartFault(`${entry} is not a PostgreSQL data folder. Move it away, or choose another DATA_DIR.`);
}

function outOfReach(folder: string, user: ServiceUser | undefined): string {
  return (
    `PostgreSQL runs as user ${user?.name}, who cannot access ${folder}. ` +
    'Grant access to the folders above it (chmod o+x), or choose another DATA_DIR.'
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
