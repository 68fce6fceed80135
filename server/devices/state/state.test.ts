import { describe, expect, it } from 'vitest';
import { listDeviceEntities, readDeviceState, writeDesired } from '#contract/deviceState.ts';
import { addMember } from '#contract/team.ts';
import { deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';
import { insertReported } from './stateStore.ts';

const at = aProjectWorld();

const read = (deviceId: string) => at.owner.client.call(readDeviceState, { params: { deviceId } });
const desire = (deviceId: string, desired: object, ifMatch?: number) =>
  at.owner.client.call(writeDesired, {
    params: { deviceId },
    body: { desired: desired as Record<string, never> },
    ...(ifMatch !== undefined && { ifMatch }),
  });
const report = (deviceId: string, reported: object) =>
  at.world.platform.db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    values (${at.projectId}, ${deviceId}, ${JSON.stringify(reported)}, now())
    on conflict (project_id, device_id) do update set reported = excluded.reported, reported_at = excluded.reported_at`);

describe('the state of a device', () => {
  it('is empty until something is reported or desired', async () => {
    const { id } = await at.device();
    const empty = { reported: {}, desired: {}, delta: {}, desiredVersion: 0, revision: 0 };
    expect(await read(id)).toEqual(empty);
  });

  it.each(['2026-11-20T08:30:00.000Z', '2026-11-20T08:30:00.120Z'])(
    'of a sample device says when it was reported, also at %s',
    async time => {
      const { id: deviceId } = await at.device();
      const made = { deviceId, reported: { mode: 'heat' }, at: new Date(time) };
      await insertReported(at.world.platform.db, at.projectId, [made]);
      expect(await read(deviceId)).toMatchObject({ reportedAt: time, reportedChanges: { mode: time } });
    },
  );

  it('has a delta of what is desired and not yet reported', async () => {
    const { id } = await at.device();
    const heard: unknown[] = [];
    const stop = at.world.platform.bus.subscribe(deviceSubject(id), notice => heard.push(notice));
    const desired = { fan: { on: true, speed: 2 }, mode: 'heat', old: null };
    const answer = await desire(id, desired);
    expect(answer).toMatchObject({ desired, desiredVersion: 1, delta: { fan: desired.fan, mode: 'heat' } });
    await report(id, { fan: { on: false, speed: 2 }, mode: 'heat', old: 1 });
    expect(await read(id)).toMatchObject({ desired, delta: { fan: { on: true }, old: null } });
    await report(id, { fan: { on: true, speed: 2 }, mode: 'heat' });
    expect((await read(id)).delta).toEqual({});
    stop();
    expect(heard).toEqual([{ kind: 'desired' }]);
  });

  it('can be changed by only one of several callers that saw the same version', async () => {
    const { id } = await at.device();
    await desire(id, { n: -1 }, 0);
    const { answers, reasons } = await atOnce(6, n => desire(id, { n }, 1));
    expect([answers.length, new Set(reasons)]).toEqual([1, new Set(['STALE'])]);
    expect(await read(id)).toMatchObject({ desired: answers[0]?.desired, desiredVersion: 2, revision: 2 });
    await atOnce(6, n => desire(id, { n }));
    expect((await read(id)).desiredVersion).toBe(8);
  });

  it('cannot be desired to violate the schema of its class', async () => {
    const stateSchema = {
      properties: { mode: { enum: ['off', 'heat'] }, t: { type: 'number' } },
      required: ['t'],
      additionalProperties: false,
    };
    const { id: deviceClass } = await at.deviceClass({ stateSchema });
    const { id } = await at.device({ deviceClass });
    const bare = await failing(desire(id, { mode: 'heat' }), 'SCHEMA_BROKEN');
    expect(bare.context).toEqual({ faults: [{ at: '', text: 't is required.' }] });
    // Once a required property is reported, it need not be desired.
    await report(id, { t: 20 });
    await desire(id, { mode: 'heat' });
    const wrong = await failing(desire(id, { mode: 'cool' }), 'SCHEMA_BROKEN');
    expect(wrong.context).toEqual({ faults: [{ at: '/mode', text: 'mode must be one of "off", "heat".' }] });
    await failing(desire(id, { t: null }), 'SCHEMA_BROKEN');
    expect((await read(id)).desiredVersion).toBe(1);
  });

  it('cannot be desired to exceed 64 KiB', async () => {
    const { id } = await at.device();
    await desire(id, { a: 'x'.repeat(65_000) });
    await failing(desire(id, { a: 'x'.repeat(65_530) }), 'TOO_LARGE');
  });

  it('keeps a member named __proto__ as plain data', async () => {
    const { id } = await at.device();
    const desired = JSON.parse('{"__proto__":{"polluted":1}}');
    const answer = await desire(id, desired);
    expect(JSON.stringify([answer.desired, answer.delta])).toBe(JSON.stringify([desired, desired]));
    expect('polluted' in {}).toBe(false);
  });

  it('is in the audit log before and after a change', async () => {
    const { id } = await at.device();
    await desire(id, { on: true });
    await desire(id, { on: false });
    const last = (await auditOf(at.world, at.projectId)).at(-1);
    expect(last?.text).toBe(`Desired state of device ${id} changed`);
    expect(last?.detail).toMatchObject({
      before: { desired: { on: true } },
      after: { desired: { on: false } },
    });
  });

  it('is readable, but not writable, for a viewer', async () => {
    const { id } = await at.device();
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    const of = { params: { deviceId: id } };
    await viewer.client.call(readDeviceState, of);
    await failing(viewer.client.call(writeDesired, { ...of, body: { desired: {} } }), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readDeviceState, of), 'DEVICE_NOT_FOUND');
  });
});

it('the entities of a device are listed by name', async () => {
  const { id } = await at.device();
  await at.world.platform.db.run(sql`
    insert into device_entities (project_id, device_id, name, class, state)
    values (${at.projectId}, ${id}, 'lamp-2', 'lamp', null), (${at.projectId}, ${id}, 'lamp-1', 'lamp', '{"on": true}')`);
  expect(await at.owner.client.call(listDeviceEntities, { params: { deviceId: id } })).toEqual([
    { name: 'lamp-1', class: 'lamp', state: { on: true } },
    { name: 'lamp-2', class: 'lamp' },
  ]);
});
