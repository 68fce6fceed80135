import { describe, expect, it } from 'vitest';
import { editDevice, readDevice } from '#contract/device.ts';
import { actOnDevices } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { someChannels } from '#test/firmware.ts';
import { aFleet, hearing, suspendedOf } from '#test/fleet.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

type Body = BodyOf<typeof actOnDevices>;
const params = () => ({ projectId: at.projectId });
const doAll = (body: Body, by = at.owner) => by.client.call(actOnDevices, { params: params(), body });

describe('an action on named devices', () => {
  it('is done for all of them when the call returns, and the gateways are notified', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 999);
    const { heard, end } = hearing(at.world, ids);
    const action = await doAll({ action: 'suspend', ids });
    end();
    expect(action).toMatchObject({ action: 'suspend', state: 'done', total: 999, done: 999, ids });
    expect(await suspendedOf(at.world, at.projectId, deviceClass)).toEqual({
      count: 999,
      revisions: 999 * 2,
    });
    expect(heard.size).toBe(999);
    expect(heard.get(ids[0] ?? '')).toEqual([{ kind: 'access' }]);
    const [entry] = (await auditOf(at.world, at.projectId)).filter(
      ({ action: name }) => name === 'actOnDevices',
    );
    expect(entry?.text).toMatch(/^999 devices suspended: \S/);
    const now = at.world.now().getTime();
    const [begin, until] = [now - 60_000, now + 1000].map(ms => new Date(ms).toISOString());
    const query = { begin: begin ?? '', end: until ?? '' };
    const entries = await at.owner.client.call(readDeviceLogEntries, {
      params: { deviceId: ids[7] ?? '' },
      query,
    });
    expect(entries).toMatchObject([{ action: 'suspendDevice', text: 'Suspended', level: 1 }]);
    expect(entries[0]?.actor).toMatchObject({ id: at.owner.developer.id });
  });

  it('skips devices that are already in that state', async () => {
    const { ids } = await aFleet(at.world, at.owner, at.projectId, 2);
    const [first = '', second = ''] = ids;
    await at.owner.client.call(editDevice, { params: { deviceId: first }, body: { suspended: true } });
    const { heard, end } = hearing(at.world, ids);
    expect(await doAll({ action: 'suspend', ids })).toMatchObject({ total: 2, done: 2 });
    end();
    expect([...heard.keys()]).toEqual([second]);
    const read = (deviceId: string) => at.owner.client.call(readDevice, { params: { deviceId } });
    expect(await read(first)).toMatchObject({ suspended: true, revision: 2 });
    expect(await doAll({ action: 'resume', ids })).toMatchObject({ done: 2 });
    expect(await read(first)).toMatchObject({ suspended: false, revision: 3 });
  });

  it('does nothing if one of them does not exist, belongs to another project, or was deleted', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 3);
    const stranger = await at.world.aDeveloper();
    const theirs = await aDevice(stranger, (await at.world.aProject(stranger)).id);
    for (const wrong of ['dev_01k9x3m2h4e6d8b0a2c4e6g8j0', theirs.id, "' or 1=1"]) {
      const refused = await failing(doAll({ action: 'delete', ids: [...ids, wrong] }), 'DEVICE_NOT_FOUND');
      expect(refused.context).toEqual({ ids: [wrong] });
    }
    expect((await suspendedOf(at.world, at.projectId, deviceClass))?.revisions).toBe(3);
    expect(await stranger.client.call(readDevice, { params: { deviceId: theirs.id } })).toMatchObject({
      revision: 1,
    });
  });

  it('counts a device that is named twice only once', async () => {
    const { ids } = await aFleet(at.world, at.owner, at.projectId, 2);
    expect(await doAll({ action: 'suspend', ids: [...ids, ...ids] })).toMatchObject({ total: 2, done: 2 });
  });

  it('moves them to a channel, and notifies them of their target', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 2);
    await failing(doAll({ action: 'move', ids, channel: 'beta' }), 'CHANNEL_NOT_FOUND');
    await failing(doAll({ action: 'move', matching: { deviceClass }, channel: 'beta' }), 'CHANNEL_NOT_FOUND');
    await someChannels(at.world, { projectId: at.projectId, deviceClass }, 'beta');
    const { heard, end } = hearing(at.world, ids);
    await doAll({ action: 'move', ids, channel: 'beta' });
    end();
    expect([...heard.values()]).toEqual([[{ kind: 'target' }], [{ kind: 'target' }]]);
    const read = () => at.owner.client.call(readDevice, { params: { deviceId: ids[0] ?? '' } });
    expect((await read()).channel).toBe('beta');
    await doAll({ action: 'move', ids, channel: 'stable' });
    expect((await read()).channel).toBe('');
  });

  it('deletes them with everything that belongs to them', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 50);
    const { db } = at.world.platform;
    const [id = ''] = ids;
    await doAll({ action: 'suspend', ids });
    // A month in which no other test stores events.
    await db.run(
      sql`create table events_of_old partition of device_events for values from ('1990-01-01') to ('1990-02-01')`,
    );
    await db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      values (${at.projectId}, ${id}, '1990-01-02', 'evt_1', 'door', '{}')`);
    await db.run(sql`
      insert into log_requests (project_id, device_id, id, status, ts, start_at, end_at, prefixes, expires_at, file)
      values (${at.projectId}, ${id}, 'lrq_1', 'success', now(), now(), now(), '{}', now(), 'fil_gone')`);
    expect(await doAll({ action: 'delete', ids })).toMatchObject({ total: 50, done: 50 });
    for (const table of ['devices', 'device_presence', 'log_requests', 'device_events'] as const) {
      const column = table === 'devices' ? sql`id` : sql`device_id`;
      const left = await db.many(sql`select 1 from ${sql([table])} where ${column} = any(${ids})`);
      expect([table, left.length]).toEqual([table, 0]);
    }
    expect(
      await db.many(sql`select 1 from log_entries where stream = 'system' and subject = any(${ids})`),
    ).toEqual([]);
    expect(await db.one(sql`select 1 as there from unkept_files where place = 'fil_gone'`)).toEqual({
      there: 1,
    });
    expect((await suspendedOf(at.world, at.projectId, deviceClass))?.count).toBe(0);
  });

  it.each<[string, object]>([
    ['neither ids nor a filter', { action: 'suspend' }],
    ['both', { action: 'suspend', ids: ['dev_1'], matching: { deviceClass: 'a' } }],
    ['no ids at all', { action: 'suspend', ids: [] }],
    ['a thousand', { action: 'suspend', ids: Array.from({ length: 1000 }, (_, i) => `dev_${i}`) }],
    ['a channel where none is asked for', { action: 'suspend', ids: ['dev_1'], channel: 'beta' }],
    ['no channel to move to', { action: 'move', ids: ['dev_1'] }],
    ['an unknown act', { action: 'explode', ids: ['dev_1'] }],
  ])('is refused with %s', async (_, body) => {
    await failing(doAll(body as Body), 'INVALID_FIELDS');
  });

  it('is refused to a viewer', async () => {
    const viewer = await at.world.aDeveloper();
    await at.owner.client.call(addMember, {
      params: params(),
      body: { email: viewer.email, role: 'viewer' },
    });
    const { ids } = await aFleet(at.world, at.owner, at.projectId, 1);
    await failing(doAll({ action: 'delete', ids }, viewer), 'ROLE_TOO_LOW');
  });
});
