import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { startMooring } from '#test/serverProcess.ts';
import { livingPages } from './console/livingPages.ts';
import { ms, percentile, report } from './report.ts';
import { launchBrowser, signIn } from './torture/browser.ts';

const loads = 7;

interface View {
  scriptAndStyle: number;
  all: number;
  requests: number;
  visibleMs: number;
}

/** A first visit; with `living` and a number of minutes, pages that stay open. */
export function run([kind, minutes]: string[]): Promise<void> {
  if (kind !== 'living') return firstVisit();
  return minutes === undefined ? livingPages() : livingPages(Number(minutes));
}

/** The cost of a first visit: bytes, requests, and the time until the page is usable. */
async function firstVisit(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const browser = await launchBrowser();
  const server = await startMooring({ DATA_DIR: dataDir });
  const developer = await newcomer(server.url, 'bench@example.com');
  const visit = visiting(browser, server.url);
  const login = await visit('/login', page => page.getByLabel('E-mail').waitFor());
  const sample = (page: Page) => page.getByRole('link', { name: /Sample project/ }).waitFor();
  const list = await visit('/projects', sample, developer);
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });

  const row = (name: string, view: View, bytesBar: string, timeBar: string) => [
    name,
    kb(view.scriptAndStyle),
    bytesBar,
    kb(view.all),
    String(view.requests),
    ms(view.visibleMs),
    timeBar,
  ];
  report({
    title: 'First visit of the console',
    command: 'npm run bench -- console',
    head: ['view', 'JS + CSS', 'bar', 'all bytes', 'requests', `visible (p50 of ${loads})`, 'bar'],
    rows: [
      row('login', login, '≤ 130 kB, ≤ 8 requests', '≤ 250 ms'),
      row('projects list, opened directly', list, '≤ 190 kB', '≤ 300 ms'),
    ],
    notes: [
      'Bytes on the wire, compressed with brotli; fonts and the picture behind the card are only part of “all bytes”.',
      'Loopback without throttling; browser and server share the cores.',
    ],
  });
}

/** Loads a page several times, each time in an empty browser. */
function visiting(browser: Browser, url: string) {
  return async (path: string, ready: (page: Page) => Promise<void>, developer?: Newcomer): Promise<View> => {
    const views: View[] = [];
    for (let i = 0; i < loads; i++) {
      const context = await browser.newContext();
      if (developer) await signIn(context, url, developer);
      const page = await context.newPage();
      const count = await counting(await context.newCDPSession(page));
      const startedAt = performance.now();
      await page.goto(url + path, { waitUntil: 'commit' });
      await ready(page);
      const visibleMs = performance.now() - startedAt;
      await page.waitForLoadState('networkidle');
      views.push({ ...count(), visibleMs });
      await context.close();
    }
    const times = views.map(({ visibleMs }) => visibleMs);
    return { ...(views[0] as View), visibleMs: percentile(times, 0.5) };
  };
}

async function counting(cdp: CDPSession): Promise<() => Omit<View, 'visibleMs'>> {
  const types = new Map<string, string>();
  let scriptAndStyle = 0;
  let all = 0;
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (!type) return;
    all += encodedDataLength;
    if (type === 'Script' || type === 'Stylesheet') scriptAndStyle += encodedDataLength;
  });
  return () => ({ scriptAndStyle, all, requests: types.size });
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
