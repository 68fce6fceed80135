import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession } from '@playwright/test';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { readGateway } from '#contract/gateway.ts';
import { createProject } from '#contract/project.ts';
import { aDevice } from '#test/devices.ts';
import { type MqttDevice, mqttDevice } from '#test/mqttDevice.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { report } from '../report.ts';
import { launchBrowser, signIn } from '../torture/browser.ts';

const minutesUsual = 60;
const eventsASecond = 20;
/** How often the fleet and the pages are measured. */
const measurements = 10;
/** The first measurement comes after the page has filled. */
const warmUpMs = 30_000;

interface Measured {
  minute: number;
  page: string;
  heapMb: number;
  nodes: number;
  listeners: number;
}

/**
 * Whether pages that stay open on a living fleet keep their size: heap, nodes and listeners of a device’s page and of the
 * overview while one device sends twenty events a second. Takes the number of minutes.
 */
export async function livingPages(minutes = minutesUsual): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const server = await startMooring({
    DATA_DIR: dataDir,
    MQTT_PORT: String(await freePort()),
    SAMPLE_PROJECT: 'off',
  });
  const browser = await launchBrowser();
  try {
    const developer = await newcomer(server.url, 'bench@example.com');
    const { projectId, deviceId, hardware } = await aTalker(developer);
    const paths = {
      device: `/projects/${projectId}/devices/${deviceId}`,
      overview: `/projects/${projectId}`,
    };
    const pages = await open(browser, { server, developer, paths });
    const talking = new AbortController();
    const sent = talk(hardware, talking.signal);
    const measured = await measure(pages, minutes * 60_000);
    talking.abort();
    tell(measured, minutes, await sent);
    await hardware.client.endAsync(true);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function aTalker({ client, ...developer }: Newcomer) {
  const { id: projectId } = await client.call(createProject, { body: { name: 'Living' } });
  const params = { projectId };
  await client.call(createDeviceClass, { params, body: { id: 'lamp' } });
  const device = await aDevice({ client, ...developer }, projectId, { deviceClass: 'lamp' });
  const { mqtt } = await client.call(readGateway, {});
  const hardware = await mqttDevice(`mqtt://${mqtt?.host}:${mqtt?.port}`, device);
  return { projectId, deviceId: device.id, hardware };
}

type Pages = Record<string, CDPSession>;

async function open(
  browser: Browser,
  { server, developer, paths }: { server: ServerProcess; developer: Newcomer; paths: Record<string, string> },
): Promise<Pages> {
  const pages: Pages = {};
  for (const [name, path] of Object.entries(paths)) {
    // Each in its own window: a page in the background follows nothing.
    const context = await browser.newContext();
    await signIn(context, server.url, developer);
    const page = await context.newPage();
    await page.goto(server.url + path);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    pages[name] = await context.newCDPSession(page);
    await pages[name].send('Performance.enable');
  }
  return pages;
}

/** Sends events and now and then a state, until it is stopped. Returns how many. */
async function talk(hardware: MqttDevice, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  while (!signal.aborted) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * eventsASecond);
    for (; sent < due; sent++) {
      await hardware.say('events/tick', { n: sent, text: 'x'.repeat(40) });
      if (sent % 100 === 0) await hardware.say('state', { celsius: 20 + (sent % 7) });
    }
    await wait(1000 / eventsASecond);
  }
  return sent;
}

async function measure(pages: Pages, durationMs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  await wait(Math.min(warmUpMs, durationMs));
  const startedAt = performance.now();
  for (let n = 0; n <= measurements; n++) {
    await wait(Math.max(0, startedAt + (n / measurements) * durationMs - performance.now()));
    const minute = (performance.now() - startedAt) / 60_000;
    for (const [page, cdp] of Object.entries(pages)) {
      await cdp.send('HeapProfiler.collectGarbage');
      const { metrics } = await cdp.send('Performance.getMetrics');
      const of = (name: string) => metrics.find(metric => metric.name === name)?.value ?? 0;
      measured.push({
        minute,
        page,
        heapMb: of('JSHeapUsedSize') / 1e6,
        nodes: of('Nodes'),
        listeners: of('JSEventListeners'),
      });
      console.log(measured.at(-1));
    }
  }
  return measured;
}

function tell(measured: readonly Measured[], minutes: number, sent: number): void {
  report({
    title: 'Pages that stay open on a living fleet',
    command: `npm run bench -- console living ${minutes}`,
    head: ['page', 'minute', 'heap', 'nodes', 'listeners'],
    rows: measured
      .toSorted((a, b) => a.page.localeCompare(b.page) || a.minute - b.minute)
      .map(({ page, minute, heapMb, nodes, listeners }) => [
        page,
        minute.toFixed(0),
        `${heapMb.toFixed(1)} MB`,
        String(nodes),
        String(listeners),
      ]),
    notes: [
      `${sent} events in all, ${eventsASecond} a second, from one device; measured after a garbage collection.`,
      'Bar: from the first measurement to the last, nodes and heap do not grow.',
    ],
  });
}
