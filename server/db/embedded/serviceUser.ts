import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartFault } from '#server/startFault.ts';

/** Under whom PostgreSQL runs. */
export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

/** Where a service user can always get to; only root needs and can use it. */
export const serviceHome = '/var/lib/mooring';

export function makeServiceHome(): void {
  // Whatever the umask: others may pass through, not look around.
  if (mkdirSync(serviceHome, { recursive: true })) chmodSync(serviceHome, 0o711);
}

/**
 * PostgreSQL refuses to run as root: it then runs as `postgres` or `nobody`.
 * For everybody else the answer is undefined: it runs as ourselves.
 */
export function serviceUser(): ServiceUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = accounts.find(account => account[0] === wanted) ?? [];
    if (name && uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new StartFault(
    'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" on this machine. ' +
      'Start Mooring as another user, or set DATABASE_URL.',
  );
}

/** The user to whom the data folder belongs already; root's folder, from a copy or a backup, is handed over. */
export function ownerOfFolder(folder: string): ServiceUser | undefined {
  const { uid, gid } = statSync(folder);
  if (process.getuid === undefined) return undefined;
  if (process.getuid() === uid && uid !== 0) return undefined;
  if (process.getuid() !== 0) {
    throw new StartFault(
      `${folder} belongs to another user (id ${uid}). Start Mooring as root or as that user, or choose another DATA_DIR.`,
    );
  }
  if (uid !== 0) return { name: `with id ${uid}`, uid, gid };
  const user = serviceUser();
  if (user) handOver(folder, user);
  return user;
}

/** Gives a folder with all it holds to the service user. */
export function handOver(path: string, user: ServiceUser): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  chownSync(path, user.uid, user.gid);
}

/** Asked of the system itself, because permission bits are not all there is (access lists, mounts). */
export function canReach(user: ServiceUser | undefined, path: string): boolean {
  if (!user) return true;
  const { status, error } = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], {
    cwd: '/',
    uid: user.uid,
    gid: user.gid,
  });
  if (error)
    throw new StartFault(
      `PostgreSQL cannot be started as user ${user.name}: ${error.message}. Set DATABASE_URL.`,
    );
  return status === 0;
}

/** Runs a program of PostgreSQL to its end; what it says counts only when it fails. */
export async function runAs(user: ServiceUser | undefined, program: string, args: string[], input = '') {
  const child = spawn(program, args, spawnOptions(user));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // One that ends without reading it breaks the pipe; how it ended says more.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new StartFault(`${program} failed (${code ?? 'killed'}): ${said.trim() || 'no output'}`);
}

/** Our environment holds secrets, and its PG* variables would change what PostgreSQL does: it gets its own. */
export function spawnOptions(user: ServiceUser | undefined) {
  const { PATH, SystemRoot } = process.env;
  return {
    cwd: process.platform === 'win32' ? undefined : '/',
    env: { PATH, SystemRoot, LC_ALL: 'C', TZ: 'UTC' },
    ...(user && { uid: user.uid, gid: user.gid }),
  };
}
