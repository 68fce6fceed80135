import { expect, it } from 'vitest';
import { readLogEntries } from '#contract/log.ts';
import { countDeviceLogEntries, countHttpLogEntries, countLogEntries } from '#contract/logCounts.ts';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { soughtIn } from '#server/projects/logEntries/read.ts';
import { writeEntries } from '#test/entries.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { appendEntries, type NewEntry } from './append.ts';
import { countEntries } from './counts.ts';

const at = aProjectWorld();

/** A whole day of which nothing else is written. */
const begin = () => new Date(Math.floor((at.world.now().getTime() - 2 * dayMs) / dayMs) * dayMs);
const day = () => ({
  begin: begin().toISOString(),
  end: new Date(begin().getTime() + dayMs).toISOString(),
});
const after = (ms: number) => new Date(begin().getTime() + ms);

async function aLog(entries: Partial<NewEntry>[]): Promise<string> {
  const { id } = await at.world.aProject(at.owner);
  await writeEntries(at.world.platform, id, entries);
  return id;
}

const count = (projectId: string, query: object = {}) =>
  at.owner.client.call(countLogEntries, { params: { projectId }, query: { ...day(), ...query } });

it('entries are counted by level and by part of the range, whatever is searched for', async () => {
  const projectId = await aLog([
    { ts: after(0), level: 2, text: 'valve opened' },
    { ts: after(hourMs - 1), level: 0, text: 'valve lost' },
    { ts: after(hourMs), level: 1, text: 'motor slow' },
    { ts: after(dayMs - 1), level: 2, text: 'door', detail: { after: { part: 'Valve' } } },
    { ts: after(dayMs), level: 2, text: 'valve of the next day' },
  ]);
  const parts = [
    { begin: after(0).toISOString(), levels: [1, 0, 1, 0] },
    { begin: after(hourMs).toISOString(), levels: [0, 1, 0, 0] },
    { begin: after(23 * hourMs).toISOString(), levels: [0, 0, 1, 0] },
  ];
  const all = { levels: [1, 1, 2, 0], stepMs: hourMs, parts };
  expect(await count(projectId, { parts: 24 })).toEqual({ ...all, hits: 4 });
  expect(await count(projectId, { parts: 24, text: 'VALVE' })).toEqual({ ...all, hits: 3 });
  expect(await count(projectId, { parts: 24, text: 'valve', level: '1' })).toEqual({ ...all, hits: 1 });
});

it('an actor and an action narrow every figure', async () => {
  const projectId = await aLog([
    { ts: after(0), action: 'editProject' },
    { ts: after(1), action: 'deleteDevice', level: 1 },
  ]);
  const { levels, hits } = await count(projectId, { action: 'deleteDevice' });
  expect({ levels, hits }).toEqual({ levels: [0, 1, 0, 0], hits: 1 });
  expect((await count(projectId, { actor: 'nobody' })).parts).toEqual([]);
});

it('a range with more entries than are counted says from when on they are counted', async () => {
  const projectId = await aLog(Array.from({ length: 5 }, (_, i) => ({ ts: after(i * minuteMs) })));
  const sought = soughtIn({ projectId, stream: 'audit' }, day());
  const counted = await countEntries(at.world.platform.db, sought, 24, 3);
  expect(counted).toMatchObject({ levels: [0, 0, 3, 0], countedFrom: after(2 * minuteMs).toISOString() });
  expect(await countEntries(at.world.platform.db, sought, 24, 5)).not.toHaveProperty('countedFrom');
});

it('a device log and the HTTP log count their own entries only', async () => {
  const [device, other] = [await at.device(), await at.device()];
  const entry = (subject: string, ms: number): NewEntry => ({
    projectId: at.projectId,
    stream: 'system',
    ts: after(ms),
    subject,
    level: 1,
    actor: { callerType: 'device', id: subject, displayName: 'Lamp' },
    action: 'disconnected',
    text: 'Disconnected',
  });
  const entries = [entry(device.id, 0), entry(device.id, 1), entry(other.id, 2)];
  await appendEntries(at.world.platform.db, at.world.platform, entries);
  const query = day();
  const params = { deviceId: device.id };
  expect((await at.owner.client.call(countDeviceLogEntries, { params, query })).levels).toEqual([0, 2, 0, 0]);
  const http = { params: { projectId: at.projectId }, query };
  expect((await at.owner.client.call(countHttpLogEntries, http)).hits).toBe(0);
});

it('an entry is returned with its neighbours, even if it is gone or the search would leave them out', async () => {
  const projectId = await aLog(
    Array.from({ length: 9 }, (_, i) => ({ ts: after(i * minuteMs), text: `No ${i}` })),
  );
  const read = (query: object) =>
    at.owner.client.call(readLogEntries, { params: { projectId }, query: { ...day(), ...query } });
  const entries = await read({});
  const textsNear = async (query: object) => (await read(query)).map(({ text }) => text);
  const near = entries[4]?.id;
  expect(await textsNear({ near })).toEqual(['No 7', 'No 6', 'No 5', 'No 4', 'No 3', 'No 2', 'No 1']);
  expect(await textsNear({ near, text: 'No 4', level: '0', maxEntries: 3 })).toEqual([
    'No 5',
    'No 4',
    'No 3',
  ]);
  expect(await textsNear({ near, maxEntries: 1 })).toEqual(['No 4']);
  expect(await textsNear({ near: entries[0]?.id, maxEntries: 3 })).toEqual(['No 8', 'No 7']);
  await at.world.platform.db.run(sql`delete from log_entries where id = ${near}`);
  expect(await textsNear({ near, maxEntries: 3 })).toEqual(['No 6', 'No 5', 'No 3']);
  await failing(read({ near: 'prj_x' }), 'INVALID_FIELDS');
});

it('the neighbours of an entry are of the same log, even if it is of another', async () => {
  const [mine, theirs] = [await aLog([{ ts: after(0) }]), await aLog([{ ts: after(1), text: 'secret' }])];
  const [foreign] = await at.owner.client.call(readLogEntries, {
    params: { projectId: theirs },
    query: day(),
  });
  const query = { ...day(), near: foreign?.id };
  const found = await at.owner.client.call(readLogEntries, { params: { projectId: mine }, query });
  expect(found).toHaveLength(1);
  expect(found[0]?.text).not.toBe('secret');
});

it('somebody outside the project counts nothing', async () => {
  const stranger = await at.world.aDeveloper();
  const device = await at.device();
  const of = { params: { projectId: at.projectId }, query: day() };
  await failing(stranger.client.call(countLogEntries, of), 'NOT_A_MEMBER');
  await failing(stranger.client.call(countHttpLogEntries, of), 'NOT_A_MEMBER');
  const ofDevice = { params: { deviceId: device.id }, query: day() };
  await failing(stranger.client.call(countDeviceLogEntries, ofDevice), 'DEVICE_NOT_FOUND');
  await failing(stranger.client.call(readDeviceLogEntries, ofDevice), 'DEVICE_NOT_FOUND');
});
