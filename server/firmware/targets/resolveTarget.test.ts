import { expect, it } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { aBundle } from '#test/firmware.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { resolved } from './resolveTarget.ts';

const at = aProjectWorld();

const states = ['draft', 'running', 'paused', 'stopped', 'finished', 'superseded'] as const;
const outcomes = [null, 'updated', 'failed', 'declined', 'left'] as const;
const begun = ['installing', 'rebooting', 'confirming', 'done'];

interface Admitted {
  state: string;
  bundle: string;
  isDue: boolean;
  outcome: string | null;
  /** The state of the device's target, if it comes from this rollout. */
  target: string | undefined;
}

/** A plain model of the rule. */
function model(pin: string | null, admitted: readonly Admitted[], channel: string | null): string | null {
  if (pin) return pin;
  for (const { state, bundle, isDue, outcome, target } of admitted.toReversed()) {
    if (!isDue || outcome === 'left' || state === 'draft') continue;
    if (state === 'finished' || state === 'superseded') return channel;
    const isBegun = begun.includes(target ?? '');
    if (state === 'running') return bundle;
    if (state === 'paused' && (outcome === 'updated' || outcome === 'failed' || isBegun)) return bundle;
    if (state === 'stopped' && (outcome === 'updated' || isBegun)) return bundle;
  }
  return channel;
}

it('a device should run its pin, else the last rollout that keeps it, else its channel', async () => {
  const { db, clock } = at.world.platform;
  const { id: deviceClass } = await at.deviceClass();
  const of = { projectId: at.projectId, deviceClass };
  const bundles = [await aBundle(at.world, of), await aBundle(at.world, of), await aBundle(at.world, of)];
  const [first, ...rest] = bundles.map(({ id }) => id);
  const ids = await manyDevices(at.world, at.projectId, deviceClass, 400);
  await db.run(sql`
    insert into channels (project_id, id, device_class, name, bundle_id, created_at)
    values (${at.projectId}, 'chn_resolve', ${deviceClass}, 'stable', ${first}, now())`);
  const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;
  const now = clock();
  // A channel has only one unfinished rollout at a time.
  const rollouts = ['stopped', 'finished', 'superseded', 'stopped', pick(states)].map((state, i) => ({
    id: `rol_resolve${i}`,
    state,
    bundle: pick(rest),
    startedAt: new Date(now.getTime() - (10 - i) * minuteMs),
  }));
  for (const one of rollouts)
    await db.run(sql`
      insert into rollouts (project_id, id, device_class, channel_id, bundle_id, state, steps, soak_s, failure_percent,
        gates, created_at, started_at)
      values (${at.projectId}, ${one.id}, ${deviceClass}, 'chn_resolve', ${one.bundle}, ${one.state}, '[]', 0, 5, '{}',
        ${one.startedAt}, ${one.startedAt})`);
  const expected = new Map<string, string | null>();
  const rows: { deviceId: string; rolloutId: string; dueAt: Date; outcome: string | null }[] = [];
  const targets: { deviceId: string; rolloutId: string; state: string; bundle: string }[] = [];
  const pins: { deviceId: string; pin: string }[] = [];
  for (const deviceId of ids) {
    const pin = Math.random() < 0.1 ? pick(rest) : null;
    if (pin) pins.push({ deviceId, pin });
    const held = Math.random() < 0.5 ? pick(rollouts) : undefined;
    const target = pick(['waiting', 'downloading', 'failed', ...begun]);
    if (held) targets.push({ deviceId, rolloutId: held.id, state: target, bundle: held.bundle });
    const admitted = rollouts.flatMap(one => {
      if (Math.random() < 0.4) return [];
      const isDue = Math.random() < 0.8;
      const outcome = pick(outcomes);
      const dueAt = new Date(now.getTime() + (isDue ? -minuteMs : minuteMs));
      rows.push({ deviceId, rolloutId: one.id, dueAt, outcome });
      return { ...one, isDue, outcome, target: held === one ? target : undefined };
    });
    expected.set(deviceId, model(pin, admitted, first ?? null));
  }
  await db.run(sql`
    update devices d set bundle_pinned = p.pin from unnest(${pins.map(one => one.deviceId)}::text[],
      ${pins.map(one => one.pin)}::text[]) as p (id, pin) where d.project_id = ${at.projectId} and d.id = p.id`);
  await db.run(sql`
    insert into device_targets (project_id, device_id, device_class, sequence, bundle_id, rollout_id, assigned_at, state, state_at)
    select ${at.projectId}, t.id, ${deviceClass}, 1, t.bundle, t.rollout, now(), t.state, now()
    from unnest(${targets.map(one => one.deviceId)}::text[], ${targets.map(one => one.rolloutId)}::text[],
      ${targets.map(one => one.state)}::text[], ${targets.map(one => one.bundle)}::text[]) as t (id, rollout, state, bundle)`);
  await db.run(sql`
    insert into rollout_devices (project_id, rollout_id, device_id, step, admitted_at, due_at, outcome)
    select ${at.projectId}, a.rollout, a.id, 0, now(), a.due, a.outcome
    from unnest(${rows.map(one => one.rolloutId)}::text[], ${rows.map(one => one.deviceId)}::text[],
      ${rows.map(one => one.dueAt)}::timestamptz[], ${rows.map(one => one.outcome)}::text[]) as a (rollout, id, due, outcome)`);
  const found = await db.many<{ id: string; bundle: string | null }>(sql`
    select device_id as id, bundle_id as bundle from (${resolved(sql`d.project_id = ${at.projectId} and d.device_class = ${deviceClass}`, now)}) as r`);
  expect(found.filter(({ id, bundle }) => bundle !== expected.get(id))).toEqual([]);
  expect(found).toHaveLength(ids.length);
});
