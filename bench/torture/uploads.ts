import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { createComponent } from '#contract/component.ts';
import { createComponentVersion, readComponentVersion } from '#contract/componentVersion.ts';
import { createProject } from '#contract/project.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { report } from '../report.ts';
import { signedIn } from './browser.ts';

const mebibyte = 1024 ** 2;
const sizeDefaultMiB = 1024;
const memoryMaxMb = 200;
const cutMs = 5_000;

/** What happened during the upload. */
interface Course {
  server: ServerProcess;
  env: Record<string, string>;
  /** The peak memory of any server process. */
  peakMb: number;
  cuts: string[];
}

/**
 * `MiB [folder for pictures]`: uploads a file through a browser; the network is cut, the server killed, and the page
 * reloaded during the upload. The stored file must be identical, byte for byte.
 */
export async function run([size = String(sizeDefaultMiB), pictures]: string[]): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), 'mooring-upload-'));
  const env = { DATA_DIR: join(dir, 'data'), PORT: String(await freePort()) };
  const course: Course = { server: await startMooring(env), env, peakMb: 0, cuts: [] };
  const watching = setInterval(() => {
    course.peakMb = Math.max(course.peakMb, memoryMb(course.server));
  }, 50);
  try {
    const file = join(dir, 'gateway-os.img');
    const sha256 = await makeFile(file, Number(size));
    const who = await newcomer(course.server.url, 'torture@example.com');
    const { path, versionId } = await aVersion(who);
    const { context, close } = await signedIn(course.server.url, who);
    const restMb = memoryMb(course.server);
    course.peakMb = 0;
    const beganMs = performance.now();
    await uploadOverCuts(context, path, file, course, pictures);
    const tookS = (performance.now() - beganMs) / 1000;
    const {
      url = '',
      checksum,
      sizeBytes,
    } = await who.client.call(readComponentVersion, { params: { versionId } });
    const uploadMb = course.peakMb;
    const stored = await sha256Of(Readable.fromWeb((await fetch(url)).body as never));
    await close();
    const isSame = checksum === sha256 && stored === sha256;
    report({
      title: 'Firmware: uploading a large file in a browser, with interruptions',
      command: `npm run torture -- uploads ${size}`,
      head: [
        'file',
        'cuts',
        'from selection to ready',
        'memory before',
        'peak memory',
        'bar',
        'with the download',
        'checksum',
      ],
      rows: [
        [
          `${size} MiB`,
          course.cuts.join(', '),
          `${tookS.toFixed(0)} s`,
          `${restMb.toFixed(0)} MB`,
          `${uploadMb.toFixed(0)} MB`,
          `≤ ${memoryMaxMb} MB`,
          `${course.peakMb.toFixed(0)} MB`,
          isSame ? 'the same, also downloaded' : `${checksum} instead of ${sha256}`,
        ],
      ],
      notes: [
        'A headless Chromium, which hashes the file on the same cores; each cut lasts 5 s. The memory excludes PostgreSQL.',
        'At the end, the file is downloaded and compared, which leaves up to 64 MiB of hot blocks in memory.',
      ],
    });
    return isSame && sizeBytes === Number(size) * mebibyte && uploadMb <= memoryMaxMb;
  } finally {
    clearInterval(watching);
    await course.server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function uploadOverCuts(
  context: BrowserContext,
  path: string,
  file: string,
  course: Course,
  pictures: string | undefined,
): Promise<void> {
  const page = await context.newPage();
  page.on('dialog', dialog => void dialog.accept());
  const picture = (name: string) =>
    pictures && page.screenshot({ path: join(pictures, `upload-${name}.png`), fullPage: true });
  await page.goto(path);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Start upload' }).click();
  await storedShare(page, 20);
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await picture('cut');
  await wait(cutMs);
  await context.setOffline(false);
  course.cuts.push('network');
  await storedShare(page, 45);
  await kill(course.server);
  await page.getByText('No connection.').waitFor();
  await wait(cutMs);
  course.server = await startMooring(course.env);
  course.cuts.push('server killed');
  await storedShare(page, 70);
  await page.reload();
  await page.getByText('Choose the file to go on').waitFor();
  await picture('reloaded');
  await page.locator('input[type=file]').setInputFiles(file);
  course.cuts.push('page loaded anew');
  await picture('resumed');
  await page.getByText('Matches the checksum computed in this browser').waitFor({ timeout: 600_000 });
  await picture('ready');
}

/** Waits until the page shows that this percentage of the parts is stored. */
async function storedShare(page: Page, percent: number): Promise<void> {
  const line = page.getByText(/\d+ of \d+ parts stored/);
  for (;;) {
    const [, stored = 0, all = 1] = /(\d+) of (\d+)/.exec((await line.textContent()) ?? '') ?? [];
    if ((Number(stored) / Number(all)) * 100 >= percent) return;
    await wait(50);
  }
}

async function aVersion({ client }: Newcomer): Promise<{ path: string; versionId: string }> {
  const project = await client.call(createProject, { body: { name: 'Torture' } });
  const component = await client.call(createComponent, {
    body: { projectId: project.id, name: 'gateway-os' },
  });
  const body = { componentId: component.id, name: '4.2.0' };
  const { id: versionId } = await client.call(createComponentVersion, { body });
  return { path: `/projects/${project.id}/components/${component.id}/versions/${versionId}`, versionId };
}

/** Creates a random file, so that no two parts are alike. Returns its SHA-256. */
async function makeFile(file: string, sizeMiB: number): Promise<string> {
  const blocks = function* () {
    for (let block = 0; block < sizeMiB; block++) yield randomBytes(mebibyte);
  };
  await pipeline(Readable.from(blocks()), createWriteStream(file));
  return sha256Of(createReadStream(file));
}

async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

async function kill({ child }: ServerProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** 0 while the process restarts. */
function memoryMb({ child }: ServerProcess): number {
  try {
    return (
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
    );
  } catch {
    return 0;
  }
}
