import { beforeAll, expect, it } from 'vitest';
import { sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { readTimeline, type TimelineItem, type TimelineKind } from '#contract/timeline.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

beforeAll(() => aPartition(at.world, 'device_events'));

const read = (deviceId: string, query: object = {}) =>
  at.owner.client.call(readTimeline, {
    params: { deviceId },
    query: {
      begin: new Date(at.world.now().getTime() - hourMs).toISOString(),
      end: new Date(at.world.now().getTime() + hourMs).toISOString(),
      ...query,
    },
  });

/** An event as the gateway stores it. */
async function happened(deviceId: string, ts: Date, payload: unknown = {}): Promise<void> {
  await at.world.platform.db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    values (${at.projectId}, ${deviceId}, ${ts}, ${at.world.platform.newId('evt', ts)}, 'door', ${JSON.stringify(payload)})`);
}

/** Something of most kinds. */
async function aLivedDevice(): Promise<string> {
  const { id: deviceId } = await at.device();
  const params = { deviceId };
  await at.owner.client.call(editDevice, { params, body: { suspended: true } });
  await at.owner.client.call(editDevice, { params, body: { suspended: false } });
  await at.owner.client.call(writeDesired, { params, body: { desired: { target: 21 } } });
  await at.owner.client.call(sendCommand, { params, body: { name: 'reboot' } });
  await happened(deviceId, at.world.now(), { open: true });
  return deviceId;
}

const kindsOf = (items: readonly TimelineItem[]) => new Set(items.map(({ kind }) => kind));

it('a timeline has what was sent, said, recorded and changed, newest first', async () => {
  const { items, next } = await read(await aLivedDevice(), { maxEntries: 200 });
  expect(next).toBeUndefined();
  const sent: TimelineKind[] = ['event', 'log', 'command', 'desired', 'change'];
  expect(kindsOf(items)).toEqual(new Set(sent));
  const times = items.map(one => one.at);
  expect(times).toEqual(times.toSorted().toReversed());
});

it('pages follow each other without a gap or a repeat, also within one millisecond', async () => {
  const deviceId = await aLivedDevice();
  const same = at.world.now();
  for (let i = 0; i < 7; i++) await happened(deviceId, same, { i });
  await at.world.platform.db.run(
    sql`update device_commands set created_at = ${same} where device_id = ${deviceId}`,
  );
  // The system log is written a moment later.
  const kinds = ['event', 'command', 'desired', 'change'];
  const whole = (await read(deviceId, { kinds, maxEntries: 200 })).items;
  for (const maxEntries of [1, 2, 3]) {
    const paged: TimelineItem[] = [];
    for (let after: string | undefined; ; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(deviceId, {
        kinds,
        maxEntries,
        ...(after && { after }),
      });
      paged.push(...page.items);
      after = page.next;
      if (after === undefined) break;
      expect(page.items).toHaveLength(maxEntries);
    }
    expect(paged.map(({ kind, id }) => `${kind} ${id}`)).toEqual(
      whole.map(({ kind, id }) => `${kind} ${id}`),
    );
  }
});

it('kinds can be chosen, and the time is limited', async () => {
  const deviceId = await aLivedDevice();
  const chosen = await read(deviceId, { kinds: ['command', 'event'] });
  expect(kindsOf(chosen.items)).toEqual(new Set(['command', 'event']));
  expect(kindsOf((await read(deviceId, { kinds: 'log' })).items)).toEqual(new Set(['log']));
  const end = new Date(at.world.now().getTime() - hourMs / 2).toISOString();
  expect((await read(deviceId, { end })).items).toEqual([]);
  await failing(read(deviceId, { begin: '2020-01-01T00:00:00Z' }), 'INVALID_RANGE');
  await failing(read(deviceId, { after: 'yesterday' }), 'INVALID_FIELDS');
});

it('an alert and an update are in the timeline of their device only', async () => {
  const [deviceId, other] = [await aLivedDevice(), await aLivedDevice()];
  const now = at.world.now();
  await at.world.platform.db.run(sql`
    insert into alerts (project_id, id, device_id, ts, severity, text, device_class, key, last_at)
    select project_id, ${at.world.platform.newId('alr', now)}, id, ${now}, 'warning', 'Too warm', device_class, 'heat', ${now}
    from devices where id = ${deviceId}`);
  await at.world.platform.db.run(sql`
    insert into device_updates (project_id, device_id, sequence, bundle_name, assigned_at, ended_at, state)
    values (${at.projectId}, ${deviceId}, 1, 'winter-25', ${now}, ${new Date(now.getTime() + 5)}, 'done')`);
  const { items } = await read(deviceId, { kinds: ['alert', 'firmware'] });
  expect(items.map(one => [one.kind, one.kind === 'firmware' && one.step])).toEqual([
    ['firmware', 'state'],
    ['alert', false],
    ['firmware', 'assigned'],
  ]);
  expect((await read(other, { kinds: ['alert', 'firmware'] })).items).toEqual([]);
  const stranger = await at.world.aDeveloper();
  const query = { begin: new Date(now.getTime() - hourMs).toISOString(), end: now.toISOString() };
  await failing(stranger.client.call(readTimeline, { params: { deviceId }, query }), 'DEVICE_NOT_FOUND');
});
