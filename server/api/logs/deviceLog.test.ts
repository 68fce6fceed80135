import { beforeAll, expect, it } from 'vitest';
import type { Device } from '#contract/device.ts';
import { exportDeviceLogEntries, readDeviceLogEntries } from '#contract/logRequest.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { rawCall } from '#test/rawCall.ts';
import { appendEntries, type NewEntry } from './append.ts';

const at = aProjectWorld();

let device: Device;
let other: Device;
/** A whole day in the past: the months around now have partitions for their entries. */
const now = Date.now();
const [yesterday, today] = [1, 0].map(daysAgo =>
  new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10),
);
const day = { begin: `${yesterday}T00:00:00Z`, end: `${today}T00:00:00Z` };
const count = 60;

beforeAll(async () => {
  [device, other] = [await at.device(), await at.device()];
  const entries = Array.from({ length: count }, (_, i): NewEntry[] => [
    entry(device.id, i, i % 20 === 0 ? 'disconnected' : 'connected'),
    entry(other.id, i, 'elsewhere'),
  ]);
  await appendEntries(at.world.platform.db, at.world.platform, entries.flat());
});

function entry(subject: string, i: number, action: string): NewEntry {
  const ts = new Date(Date.parse(`${yesterday}T08:00:00Z`) + Math.floor(i / 2) * 1000);
  const actor = { callerType: 'device' as const, id: subject, displayName: 'Lamp' };
  return {
    projectId: at.projectId,
    stream: 'system',
    ts,
    subject,
    level: i % 3 === 0 ? 1 : 2,
    actor,
    action,
    text: `No ${i}`,
  };
}

const read = (query: object = {}, by = at.owner) =>
  by.client.call(readDeviceLogEntries, { params: { deviceId: device.id }, query: { ...day, ...query } });

it('the system log of a device contains only its own entries, newest first', async () => {
  const entries = await read({ maxEntries: 999 });
  expect(entries).toHaveLength(count);
  expect(entries.map(({ ts }) => ts)).toEqual(
    entries
      .map(({ ts }) => ts)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(entries.map(({ actor }) => actor.id))).toEqual(new Set([device.id]));
});

it('pages of a device log follow each other without a gap, also within one millisecond', async () => {
  const whole = (await read({ maxEntries: 999 })).map(({ id }) => id);
  const paged: string[] = [];
  for (let after: string | undefined; ; ) {
    const page: { id: string }[] = await read({ maxEntries: 15, ...(after && { after }) });
    paged.push(...page.map(({ id }) => id));
    if (page.length < 15) break;
    after = page.at(-1)?.id;
  }
  expect(paged).toEqual(whole);
});

it('a device log can be searched by action, level and words', async () => {
  expect(await read({ action: 'disconnected' })).toHaveLength(3);
  expect(await read({ level: '1' })).toHaveLength(20);
  expect((await read({ text: 'no 59' })).map(({ text }) => text)).toEqual(['No 59']);
  expect(await read({ text: 'elsewhere' })).toEqual([]);
  expect(await read({ actor: device.id, action: 'connected', maxEntries: 2 })).toHaveLength(2);
});

it.each([
  { begin: day.end, end: day.begin },
  { begin: day.begin, end: day.begin },
  { begin: '2020-01-01T00:00:00Z' },
])('a device log refuses the range %j', async range => {
  await failing(read(range), 'INVALID_RANGE');
});

it('a device log can be exported as JSON lines and as CSV', async () => {
  const get = (format: string) => {
    const query = new URLSearchParams({ ...day, format });
    return rawCall(at.owner.fetch, [
      'GET',
      `${at.world.url}/api/devices/${device.id}/logEntries/export?${query}`,
    ]);
  };
  const lines = await get('jsonl');
  expect(lines.headers.get('content-disposition')).toMatch(
    `system-log-${device.id}-${yesterday}-${today}.jsonl`,
  );
  const exported = lines.text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(exported).toEqual(await read({ maxEntries: 999 }));
  expect((await get('csv')).text.trim().split('\r\n')).toHaveLength(count + 1);
});

it('only members of the project can read a device log', async () => {
  const stranger = await at.world.aDeveloper();
  await failing(read({}, stranger), 'DEVICE_NOT_FOUND');
  const call = stranger.client.call(exportDeviceLogEntries, {
    params: { deviceId: device.id },
    query: { ...day, format: 'csv' },
  });
  await failing(call, 'DEVICE_NOT_FOUND');
});
