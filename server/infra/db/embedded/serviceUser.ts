import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartFault } from '#server/infra/startFault.ts';

/** The user that PostgreSQL runs as. */
export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

/** A folder that a service user can always reach; only root needs it and can use it. */
export const serviceHome = '/var/lib/mooring';

export function makeServiceHome(): void {
  // Whatever the umask: others may pass through, but not list the folder.
  if (mkdirSync(serviceHome, { recursive: true })) chmodSync(serviceHome, 0o711);
}

/**
 * PostgreSQL refuses to run as root, so it then runs as `postgres` or `nobody`. If we are not root the result is
 * undefined: it runs as the current user.
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

/** The user who already owns the data folder. A folder owned by root, from a copy or a backup, is handed over. */
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

/** Gives a folder and its content to the service user. */
export function handOver(path: string, user: ServiceUser): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  chownSync(path, user.uid, user.gid);
}

/** Checks by actual access, because permission bits are not everything (access lists, mounts). */
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

/** Runs a PostgreSQL program to its end; its output is used only if it fails. */
export async function runAs(user: ServiceUser | undefined, program: string, args: string[], input = '') {
  const child = spawn(program, args, spawnOptions(user));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A program that ends without reading its input breaks the pipe; its exit code says more.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new StartFault(`${program} failed (${code ?? 'killed'}): ${said.trim() || 'no output'}`);
}

/** Our environment contains secrets, and its PG* variables would change how PostgreSQL behaves: it gets its own. */
export function spawnOptions(user: ServiceUser | undefined) {
  const { PATH, SystemRoot } = process.env;
  return {
    cwd: process.platform === 'win32' ? undefined : '/',
    env: { PATH, SystemRoot, LC_ALL: 'C', TZ: 'UTC' },
    ...(user && { uid: user.uid, gid: user.gid }),
  };
}
