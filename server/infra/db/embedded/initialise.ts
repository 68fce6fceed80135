import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '#server/infra/durableFile.ts';
import type { Binaries } from './binaries.ts';
import { handOver, runAs, type ServiceUser } from './serviceUser.ts';

/**
 * Creates an empty database. It is built in a draft folder, so that an interrupted first start leaves nothing that
 * looks complete.
 */
export async function initialise(
  folder: string,
  user: ServiceUser | undefined,
  binaries: Binaries,
): Promise<void> {
  const draft = `${folder}.new`;
  const bin = join(binaries.root, 'bin');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  chmodSync(draft, 0o700);
  if (user) handOver(draft, user);
  await runAs(user, join(bin, 'initdb'), [
    '-D',
    draft,
    '--username=postgres',
    '--auth=reject',
    '--encoding=UTF8',
    '--no-sync',
    '--no-instructions',
    // The built-in locale sorts the same on every machine, and no update of a system library can break an index.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // The password has 256 random bits: key stretching would only slow down every connection.
    '--set',
    'scram_iterations=1',
  ]);
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(join(draft, 'mooring.secret'), `${secret}\n`, { mode: 0o600 });
  // Only the platform's own role can connect, and it is not a superuser: an SQL injection could not read files or start
  // programs.
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
  // Makes the rename itself durable.
  syncFolder(dirname(folder));
}
