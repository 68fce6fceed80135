import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { capture, root } from './processes.mjs';

/** The headless shell draws no window, which takes half of the time that the browser itself takes. */
const headlessShell = 'chromium-headless-shell';
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium for the browser tests. The headless shell is installed where this is quick, even beside another browser. */
export async function ensureBrowser(runtime) {
  const found = named() ?? findProgram([headlessShell]) ?? (isDebianRoot() ? undefined : await findBrowser());
  if (found) return found;
  console.log('Installing Chromium for the browser tests…');
  const said = isDebianRoot() ? await installFromDebian(runtime) : await installFromPlaywright(runtime);
  const installed = findProgram([headlessShell]) ?? (await findBrowser());
  if (installed) return installed;
  throw new Error(
    'There is no Chromium for the browser tests, and none could be installed. ' +
      `Install one and name it with CHROMIUM=/path/to/chromium.\n${said}`,
  );
}

function named() {
  const { CHROMIUM } = process.env;
  if (!CHROMIUM || existsSync(CHROMIUM)) return CHROMIUM || undefined;
  throw new Error(`CHROMIUM is "${CHROMIUM}", but there is no such file.`);
}

function findProgram(names) {
  const places = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  return names.flatMap(name => places.map(place => join(place, name))).find(path => existsSync(path));
}

async function findBrowser() {
  return findProgram(browsers) ?? [await playwrightsOwn()].find(path => existsSync(path));
}

async function playwrightsOwn() {
  const { chromium } = await import(pathToFileURL(join(root, 'node_modules/playwright-core/index.mjs')).href);
  return chromium.executablePath();
}

export function isDebianRoot() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

async function installFromDebian(runtime) {
  const aptGet = (...args) => capture(runtime, 'apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' });
  const install = browser =>
    aptGet('install', '-y', '--no-remove', '--no-install-recommends', browser, 'fonts-liberation');
  const said = [await aptGet('update'), await install(headlessShell)];
  // Not every Debian release has a separate package for the headless shell.
  if (said.at(-1).code !== 0 && !(await findBrowser())) said.push(await install('chromium'));
  return said.map(one => one.said).join('\n');
}

async function installFromPlaywright(runtime) {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { said } = await capture(runtime, runtime.node, [cli, 'install', 'chromium']);
  return said;
}
