import { describe, expect, it } from 'vitest';
import { previewSchema } from '#contract/deviceClass.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const preview = (classId: string, stateSchema: Record<string, unknown> | boolean, by = at.owner) =>
  by.client.call(previewSchema, {
    params: { classId },
    query: { projectId: at.projectId },
    body: { stateSchema },
  });

/** A class whose devices report these temperatures, one each. */
async function aClassReporting(temperatures: readonly number[], silent = 0) {
  const { id } = await at.deviceClass();
  const devices = await manyDevices(at.world, at.projectId, id, temperatures.length + silent);
  await at.world.platform.db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    select ${at.projectId}, device_id, jsonb_build_object('celsius', celsius), now()
    from unnest(${devices.slice(0, temperatures.length)}::text[], ${temperatures}::float8[]) as r (device_id, celsius)`);
  return { id, devices };
}

describe('the preview of a state schema', () => {
  it('counts the devices whose state would violate it, and names the first five', async () => {
    const { id, devices } = await aClassReporting([20, 31, 22, 35, 40, 41, 42, 43, 19], 2);
    const found = await preview(id, { properties: { celsius: { maximum: 30 } } });
    expect(found).toMatchObject({ devices: 11, checked: 9, breaking: 6, complete: true });
    expect(found.examples).toHaveLength(5);
    expect(found.examples[0]).toMatchObject({ deviceId: devices[1], tag: 'tag 2', at: '/celsius' });
    expect(await preview(id, true)).toMatchObject({ checked: 9, breaking: 0, examples: [] });
  });

  it('counts all devices of a class with many pages', async () => {
    const { id } = await aClassReporting(Array.from({ length: 450 }, (_, i) => i));
    const found = await preview(id, { properties: { celsius: { maximum: 99 } } });
    expect(found).toMatchObject({ devices: 450, checked: 450, breaking: 350, complete: true });
  });

  it('says so if time runs out before all states are checked', async () => {
    const { id } = await aClassReporting([]);
    const devices = await manyDevices(at.world, at.projectId, id, 400);
    await at.world.platform.db.run(sql`
      insert into device_states (project_id, device_id, reported, reported_at)
      select ${at.projectId}, device_id, jsonb_build_object('text', repeat('a', 60000) || device_id), now()
      from unnest(${devices}::text[]) as r (device_id)`);
    // Each state uses up all the steps allowed for matching one value.
    const allOf = Array.from({ length: 60 }, () => ({ pattern: '^(a|b)*(x{20}|y{20})$' }));
    const found = await preview(id, { properties: { text: { allOf } } });
    expect(found).toMatchObject({ devices: 400, complete: false });
    expect(found.breaking).toBe(found.checked);
    expect(found.checked).toBeLessThan(400);
  });

  it('refuses a schema that could not be saved, with the place', async () => {
    const { id } = await aClassReporting([]);
    const refused = await failing(preview(id, { type: 'strin' }), 'INVALID_SCHEMA');
    expect(refused.context).toMatchObject({ at: '/stateSchema/type' });
  });

  it('is for those who may edit the class', async () => {
    const { id } = await aClassReporting([]);
    const viewer = await at.world.aDeveloper();
    const { projectId } = at;
    const body = { email: viewer.email, role: 'viewer' as const };
    await at.owner.client.call(addMember, { params: { projectId }, body });
    await failing(preview(id, true, viewer), 'ROLE_TOO_LOW');
  });
});
