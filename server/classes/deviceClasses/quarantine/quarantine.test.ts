import { describe, expect, it } from 'vitest';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { clearQuarantine, listQuarantine, listQuarantineCauses } from '#contract/quarantine.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const of = (classId: string, more = {}) => ({
  params: { classId },
  query: { projectId: at.projectId, ...more },
});
const list = (classId: string, more = {}) => at.owner.client.call(listQuarantine, of(classId, more));

/** Stores messages as the gateway does, the oldest first. */
async function aClassWith(count: number): Promise<string> {
  const { id } = await at.deviceClass();
  await at.world.platform.db.run(sql`
    insert into quarantine (project_id, device_class, ts, id, device_id, kind, name, payload, faults)
    select ${at.projectId}, ${id}, now() + n * interval '1 second', 'qrt_' || lpad(n::text, 6, '0'), 'dev_' || n % 3,
      case when n % 2 = 0 then 'state' else 'event' end, case when n % 2 = 1 then 'door' end,
      json_build_object('n', n), '[{"at": "/n", "text": "must be string"}]'
    from generate_series(1, ${count}::int) n`);
  return id;
}

describe('the quarantine of a class', () => {
  it('is listed newest first, in pages, and by device', async () => {
    const id = await aClassWith(7);
    const { items, total } = await list(id, { limit: 2 });
    expect(total).toBe(7);
    expect(items).toEqual([
      expect.objectContaining({
        id: 'qrt_000007',
        deviceId: 'dev_1',
        kind: 'event',
        name: 'door',
        payload: { n: 7 },
        faults: [{ at: '/n', text: 'must be string' }],
      }),
      expect.objectContaining({ id: 'qrt_000006', kind: 'state' }),
    ]);
    expect('name' in (items[1] ?? {})).toBe(false);
    const ofOne = await list(id, { deviceId: 'dev_0', sortBy: 'ts:asc' });
    expect([ofOne.total, ofOne.items.map(({ payload }) => payload)]).toEqual([2, [{ n: 3 }, { n: 6 }]]);
    expect((await list(id, { search: 'DOOR' })).total).toBe(4);
    expect((await list(id, { search: 'd%r' })).total).toBe(0);
  });

  it('is counted, up to the number of messages that it keeps', async () => {
    const [few, many] = [await aClassWith(3), await aClassWith(10_050)];
    const count = async (classId: string) =>
      (await at.owner.client.call(readDeviceClass, of(classId))).quarantineCount;
    expect([await count(few), await count(many)]).toEqual([3, 10_000]);
    expect((await list(many)).total).toBe(10_000);
  });

  it('is grouped by error, the most frequent first', async () => {
    const id = await aClassWith(7);
    const causes = await at.owner.client.call(listQuarantineCauses, of(id));
    const fault = { at: '/n', text: 'must be string' };
    expect(causes).toEqual([
      { kind: 'event', name: 'door', fault, messages: 4, devices: 3, lastAt: expect.any(String) },
      { kind: 'state', fault, messages: 3, devices: 3, lastAt: expect.any(String) },
    ]);
    expect(await at.owner.client.call(listQuarantineCauses, of(await aClassWith(0)))).toEqual([]);
  });

  it('can be emptied by a developer, not by a viewer, and only for its class', async () => {
    const [one, other] = [await aClassWith(3), await aClassWith(3)];
    const viewer = await at.world.aDeveloper();
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(listQuarantine, of(one));
    await failing(viewer.client.call(clearQuarantine, of(one)), 'ROLE_TOO_LOW');
    await at.owner.client.call(clearQuarantine, of(one));
    expect([(await list(one)).total, (await list(other)).total]).toEqual([0, 3]);
    await failing(list('nowhere'), 'DEVICE_CLASS_NOT_FOUND');
    const stranger = await at.world.aDeveloper();
    await failing(stranger.client.call(listQuarantine, of(one)), 'DEVICE_CLASS_NOT_FOUND');
  });
});
