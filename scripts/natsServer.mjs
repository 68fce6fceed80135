import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isDebianRoot } from './browser.mjs';
import { capture } from './processes.mjs';

/** Looks for a nats-server, and installs one where that is a matter of a moment. Without it a few tests are left out. */
export async function ensureNatsServer(runtime) {
  if (findNatsServer()) return;
  if (isDebianRoot()) {
    console.log('Installing nats-server for tests with several processes…');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await capture(runtime, 'apt-get', ['update'], env);
    await capture(runtime, 'apt-get', ['install', '-y', '--no-install-recommends', 'nats-server'], env);
  }
  if (!findNatsServer())
    console.log(
      'nats-server was not found, so tests with several processes are skipped. Set NATS_SERVER to its path.',
    );
}

/** As test/natsServer.ts looks for it. */
function findNatsServer() {
  const { NATS_SERVER, PATH = '' } = process.env;
  const places = ['/usr/sbin', '/usr/local/bin', ...PATH.split(delimiter)];
  return [NATS_SERVER, ...places.map(place => join(place, 'nats-server'))].some(
    path => path && existsSync(path),
  );
}
