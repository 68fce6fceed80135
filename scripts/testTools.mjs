import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isDebianRoot } from './browser.mjs';
import { capture } from './processes.mjs';

/** Programs that some tests run beside the platform: a bus, device clients, and the languages of the verifiers. */
const tools = [
  { for: 'tests with several processes', program: 'nats-server', packages: ['nats-server'] },
  { for: 'the Go verifier of the docs', program: 'go', packages: ['golang-go'] },
  { for: 'the Python verifier of the docs', program: 'python3', packages: ['python3'] },
  {
    for: 'the snippets of the docs',
    program: 'mosquitto_pub',
    packages: ['mosquitto-clients', 'python3-paho-mqtt', 'curl'],
  },
  {
    for: 'the client in C',
    file: '/usr/include/mosquitto.h',
    packages: ['build-essential', 'libcurl4-openssl-dev', 'libmosquitto-dev', 'libssl-dev'],
  },
];

/** Installs missing tools where this is quick. Elsewhere, the tests that need them are skipped and listed. */
export async function ensureTestTools(runtime) {
  const missing = tools.filter(tool => !isThere(tool));
  if (missing.length > 0 && isDebianRoot()) await install(runtime, missing);
  for (const tool of missing.filter(tool => !isThere(tool)))
    console.log(`Skipped: ${tool.for}, for want of ${tool.packages.join(', ')}.`);
}

async function install(runtime, missing) {
  console.log(`Installing what is needed for ${missing.map(tool => tool.for).join(', ')}…`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = missing.flatMap(tool => tool.packages);
  await capture(runtime, 'apt-get', ['update'], env);
  const { code } = await capture(runtime, 'apt-get', command(packages), env);
  // A package that is not available here does not prevent the installation of the others.
  if (code !== 0) for (const one of packages) await capture(runtime, 'apt-get', command([one]), env);
}

const command = packages => ['install', '-y', '--no-install-recommends', ...packages];

function isThere({ program, file }) {
  if (file) return existsSync(file);
  const { NATS_SERVER, PATH = '' } = process.env;
  const places = ['/usr/sbin', '/usr/local/bin', ...PATH.split(delimiter)];
  const paths = places.map(place => join(place, program));
  return [program === 'nats-server' && NATS_SERVER, ...paths].some(path => path && existsSync(path));
}
