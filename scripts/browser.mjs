import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { capture, root } from './processes.mjs';

/** Best first: the headless shell does not draw a window, which takes half of a browser's time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of a Chromium for the browser tests, installed if there is none. */
export async function ensureBrowser(runtime) {
  const found = await findBrowser();
  if (found) return found;
  console.log('Installing Chromium for the browser tests…');
  const said = isDebianRoot() ? await installFromDebian(runtime) : await installFromPlaywright(runtime);
  const installed = await findBrowser();
  if (installed) return installed;
  throw new Error(
    'There is no Chromium for the browser tests, and none could be installed. ' +
      `Install one and name it with CHROMIUM=/path/to/chromium.\n${said}`,
  );
}

async function findBrowser() {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) {
    if (existsSync(CHROMIUM)) return CHROMIUM;
    throw new Error(`CHROMIUM is "${CHROMIUM}", but there is no such file.`);
  }
  const places = ['/usr/bin', ...PATH.split(delimiter)];
  const candidates = names.flatMap(name => places.map(place => join(place, name)));
  return [...candidates, await playwrightsOwn()].find(path => path && existsSync(path));
}

async function playwrightsOwn() {
  const { chromium } = await import(pathToFileURL(join(root, 'node_modules/playwright-core/index.mjs')).href);
  return chromium.executablePath();
}

export function isDebianRoot() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

async function installFromDebian(runtime) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const said = [await capture(runtime, 'apt-get', ['update'], env)];
  // Not every Debian release has a separate package for the headless shell.
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    const packages = [browser, 'fonts-liberation'];
    said.push(
      await capture(runtime, 'apt-get', ['install', '-y', '--no-install-recommends', ...packages], env),
    );
    if (said.at(-1).code === 0) break;
  }
  return said.map(one => one.said).join('\n');
}

async function installFromPlaywright(runtime) {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { said } = await capture(runtime, runtime.node, [cli, 'install', 'chromium']);
  return said;
}
