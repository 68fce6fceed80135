import { beforeAll, describe, expect, it } from 'vitest';
import { listDeviceEvents } from '#contract/deviceState.ts';
import { searchedToHeader } from '#contract/log.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

beforeAll(() => aPartition(at.world, 'device_events'));

const ago = (ms: number) => new Date(at.world.now().getTime() - ms);

/** Stores an event as the gateway does. */
async function happened(deviceId: string, name: string, ts: Date, payload: unknown = {}): Promise<string> {
  const id = at.world.platform.newId('evt', ts);
  await at.world.platform.db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    values (${at.projectId}, ${deviceId}, ${ts}, ${id}, ${name}, ${JSON.stringify(payload)})`);
  return id;
}

const list = (deviceId: string, more = {}) =>
  at.owner.client.call(listDeviceEvents, {
    params: { deviceId },
    query: { begin: ago(dayMs).toISOString(), end: at.world.now().toISOString(), ...more },
  });

describe('the events of a device', () => {
  it('are listed newest first, page by page, without duplicates or gaps', async () => {
    const { id } = await at.device();
    const same = ago(minuteMs);
    for (const ts of [ago(3 * minuteMs), same, same, same, ago(2 * minuteMs)]) await happened(id, 'door', ts);
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

  it('can be limited to one name and to a time range', async () => {
    const { id } = await at.device();
    await happened(id, 'door', ago(3 * minuteMs), { n: 1 });
    await happened(id, 'bell', ago(2 * minuteMs));
    await happened(id, 'door', ago(minuteMs), { n: 2 });
    expect((await list(id, { name: 'door' })).map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 1 }]);
    expect(await list(id, { name: 'none' })).toEqual([]);
    const end = ago(2.5 * minuteMs).toISOString();
    expect((await list(id, { end })).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
  });

  it('with a name are all found, also those of the millisecond in which a search stopped for lack of time', async () => {
    const { id } = await at.device();
    const [newer, same] = [ago(minuteMs), ago(2 * minuteMs)];
    await at.world.platform.db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${at.projectId}, ${id}, ${newer}, 'evt_' || n, 'other', '{}' from generate_series(1, 49999) n`);
    for (const n of [1, 2, 3]) await happened(id, 'rare', same, { n });
    const found: string[] = [];
    for (let end: string | null = at.world.now().toISOString(); end !== null; ) {
      const query = new URLSearchParams({ name: 'rare', begin: ago(dayMs).toISOString(), end });
      const answer = await at.owner.fetch(`${at.world.url}/api/devices/${id}/events?${query}`, {
        headers: { 'x-console-guard': '1' },
      });
      const events = (await answer.json()) as { id: string }[];
      found.push(...events.map(event => event.id));
      end = answer.headers.get(searchedToHeader);
    }
    expect(found).toHaveLength(3);
    expect(new Set(found).size).toBe(3);
  });

  it('say which alert they raised', async () => {
    const { id } = await at.device();
    const alert = { severity: 'warning', text: 'The door is open.' };
    await happened(id, 'door', ago(minuteMs), { open: true, _alert: alert });
    await happened(id, 'door', ago(minuteMs), { _alert: 'none' });
    const [none, some] = (await list(id)).toSorted((a, b) => Number('alert' in a) - Number('alert' in b));
    expect([some?.alert, none?.alert]).toEqual([alert, undefined]);
  });

  it('are only those of the device', async () => {
    const [one, other] = [await at.device(), await at.device()];
    await happened(one.id, 'door', ago(minuteMs));
    expect(await list(other.id)).toEqual([]);
    await failing(list('dev_none'), 'DEVICE_NOT_FOUND');
    const stranger = await at.world.aDeveloper();
    const query = { begin: ago(dayMs).toISOString(), end: at.world.now().toISOString() };
    const foreign = stranger.client.call(listDeviceEvents, { params: { deviceId: one.id }, query });
    await failing(foreign, 'DEVICE_NOT_FOUND');
  });

  it('are refused for an empty time range and for more than a month', async () => {
    const { id } = await at.device();
    const end = at.world.now().toISOString();
    await failing(list(id, { begin: end, end }), 'INVALID_RANGE');
    await failing(list(id, { after: 'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz' }), 'INVALID_FIELDS');
    expect(await list(id, { after: `evt_7${'z'.repeat(25)}` })).toEqual([]);
    await failing(list(id, { begin: end, end: ago(dayMs).toISOString() }), 'INVALID_RANGE');
    await failing(list(id, { begin: ago(40 * dayMs).toISOString(), end }), 'INVALID_RANGE');
    await failing(list(id, { after: 'evt_nothing' }), 'INVALID_FIELDS');
  });
});
