import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deleteDevice, deviceStates, editDevice, listDevices } from '#contract/device.ts';
import { readDeviceFigures, readStats } from '#contract/stats.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

/** An action on a device; a device that does not exist is created first. */
const act = fc.record({
  device: fc.nat(2),
  what: fc.constantFrom('connect', 'disconnect', 'suspend', 'resume', 'delete'),
});

it('each device is counted in exactly one state after any sequence of actions', async () => {
  const { id: classId } = await at.deviceClass();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async acts => {
      const ids: (string | undefined)[] = [];
      for (const { device, what } of acts) ids[device] = await perform(ids[device], what, classId);
      await expectStatesAddUp(classId);
    }),
    { numRuns: 12 },
  );
});

async function perform(
  known: string | undefined,
  what: string,
  classId: string,
): Promise<string | undefined> {
  const { client } = at.owner;
  const id = known ?? (await at.device({ deviceClass: classId })).id;
  const params = { deviceId: id };
  if (what === 'delete') {
    await client.call(deleteDevice, { params });
    return undefined;
  }
  if (what === 'suspend' || what === 'resume')
    await client.call(editDevice, { params, body: { suspended: what === 'suspend' } });
  // Writes what a gateway writes.
  if (what === 'connect' || what === 'disconnect')
    await at.world.platform.db.run(sql`
      update device_presence set seen_at = ${what === 'connect' ? 'infinity' : new Date().toISOString()}::timestamptz
      where device_id = ${id}`);
  return id;
}

async function expectStatesAddUp(classId: string): Promise<void> {
  const { client } = at.owner;
  const of = { params: { classId }, query: { projectId: at.projectId } };
  const figures = await client.call(readDeviceFigures, of);
  const listed: Record<string, number> = {};
  for (const state of deviceStates) {
    const query = { projectId: at.projectId, deviceClass: classId, state };
    const { items, total } = await client.call(listDevices, { query });
    expect(items).toHaveLength(total);
    listed[state] = total;
  }
  expect(figures).toMatchObject(listed);
  const all = await client.call(listDevices, { query: { projectId: at.projectId, deviceClass: classId } });
  expect(Object.values(listed).reduce((sum, count) => sum + count, 0)).toBe(all.total);
  const stats = await client.call(readStats, { params: { projectId: at.projectId } });
  expect(stats.devices.find(one => one.deviceClass === classId)).toMatchObject(listed);
}
