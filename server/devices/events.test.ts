import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDeviceEvents } from '#contract/deviceState.ts';
import type { Project } from '#contract/project.ts';
import { raw, sql } from '#server/db/sql.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aWorld, dayMs, minuteMs, type SignedIn, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let project: Project;
beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
  // Partitions come and go with the gateway's housekeeping.
  const made = await world.platform.db.one<{ made: boolean }>(sql`
    select exists (select from pg_inherits where inhparent = 'device_events'::regclass) as made`);
  if (!made?.made)
    await world.platform.db.run(
      sql`${raw('create table device_events_all partition of device_events default')}`,
    );
});
afterAll(() => world.end());

const ago = (ms: number) => new Date(world.now().getTime() - ms);

/** As the gateway keeps it. */
async function happened(deviceId: string, name: string, at: Date, payload: unknown = {}): Promise<string> {
  const id = world.platform.newId('evt', at);
  await world.platform.db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    values (${project.id}, ${deviceId}, ${at}, ${id}, ${name}, ${JSON.stringify(payload)})`);
  return id;
}

const list = (deviceId: string, more = {}) =>
  owner.client.call(listDeviceEvents, {
    params: { deviceId },
    query: { begin: ago(dayMs).toISOString(), end: world.now().toISOString(), ...more },
  });

describe('the events of a device', () => {
  it('come newest first, page by page, none twice and none left out', async () => {
    const { id } = await aDevice(owner, project.id);
    const same = ago(minuteMs);
    for (const at of [ago(3 * minuteMs), same, same, same, ago(2 * minuteMs)]) await happened(id, 'door', at);
    const all = await list(id);
    expect(all).toHaveLength(5);
    expect(all.map(({ ts }) => ts)).toEqual(
      all
        .map(({ ts }) => ts)
        .toSorted()
        .reverse(),
    );
    const pages: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await list(id, { maxEntries: 2, ...(after && { after }) });
      if (page.length === 0) break;
      pages.push(...page.map(event => event.id));
      after = page.at(-1)?.id;
    }
    expect(pages).toEqual(all.map(event => event.id));
  });

  it('are those of one name, and of the time asked for', async () => {
    const { id } = await aDevice(owner, project.id);
    await happened(id, 'door', ago(3 * minuteMs), { n: 1 });
    await happened(id, 'bell', ago(2 * minuteMs));
    await happened(id, 'door', ago(minuteMs), { n: 2 });
    expect((await list(id, { name: 'door' })).map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 1 }]);
    expect(await list(id, { name: 'none' })).toEqual([]);
    const end = ago(2.5 * minuteMs).toISOString();
    expect((await list(id, { end })).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
  });

  it('say which alert they raised', async () => {
    const { id } = await aDevice(owner, project.id);
    const alert = { severity: 'warning', text: 'The door is open.' };
    await happened(id, 'door', ago(minuteMs), { open: true, _alert: alert });
    await happened(id, 'door', ago(minuteMs), { _alert: 'none' });
    const [none, some] = (await list(id)).toSorted((a, b) => Number('alert' in a) - Number('alert' in b));
    expect([some?.alert, none?.alert]).toEqual([alert, undefined]);
  });

  it('are those of the device alone', async () => {
    const [one, other] = [await aDevice(owner, project.id), await aDevice(owner, project.id)];
    await happened(one.id, 'door', ago(minuteMs));
    expect(await list(other.id)).toEqual([]);
    await failing(list('dev_none'), 'DEVICE_NOT_FOUND');
    const stranger = await world.aDeveloper();
    const query = { begin: ago(dayMs).toISOString(), end: world.now().toISOString() };
    const foreign = stranger.client.call(listDeviceEvents, { params: { deviceId: one.id }, query });
    await failing(foreign, 'DEVICE_NOT_FOUND');
  });

  it('of no time, or of more than a month, are not asked for', async () => {
    const { id } = await aDevice(owner, project.id);
    const end = world.now().toISOString();
    await failing(list(id, { begin: end, end }), 'INVALID_RANGE');
    await failing(list(id, { after: 'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz' }), 'INVALID_FIELDS');
    expect(await list(id, { after: `evt_7${'z'.repeat(25)}` })).toEqual([]);
    await failing(list(id, { begin: end, end: ago(dayMs).toISOString() }), 'INVALID_RANGE');
    await failing(list(id, { begin: ago(40 * dayMs).toISOString(), end }), 'INVALID_RANGE');
    await failing(list(id, { after: 'evt_nothing' }), 'INVALID_FIELDS');
  });
});
