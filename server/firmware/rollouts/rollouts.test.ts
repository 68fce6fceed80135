import { describe, expect, it } from 'vitest';
import { createRollout, editRollout, listRollouts, readRollout } from '#contract/rollout.ts';
import { listRolloutDevices, readRolloutReport, tryRollout } from '#contract/rolloutReport.ts';
import { rolloutDefaults } from '#rules/firmware/rolloutDefaults.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { act, aRolloutFleet, connect, create, read, report } from '#test/rollouts.ts';

// Without workers, so that nothing advances the rollouts meanwhile.
const at = aProjectWorld({ ROLES: 'api' });

describe('a rollout', () => {
  it('has default settings, and is a draft until it is started', async () => {
    const fleet = await aRolloutFleet(at, 20);
    const { channel, old, next } = fleet;
    const body = { channelId: channel.id, bundleId: next };
    const made = await at.owner.client.call(createRollout, { body });
    const { steps, rate, delayS, soakS, failurePercent } = rolloutDefaults;
    expect(made).toMatchObject({
      state: 'draft',
      step: 0,
      rate,
      delayS,
      soakS,
      failurePercent,
      gates: ['failures', 'presence', 'reboots', 'stalled'],
      leavesOutDowngrades: false,
      channel: { id: channel.id, name: 'stable' },
      bundle: { id: next },
      fromBundle: { id: old },
      createdBy: { id: at.owner.developer.id, name: at.owner.developer.name },
    });
    expect(made.steps.map(({ percent, startsBy }) => ({ percent, startsBy }))).toEqual(steps);
    expect(made.steps.at(-1)?.devices).toBe(20);
    expect(await read(at, made)).toEqual(made);
    const query = { projectId: fleet.projectId };
    const { items } = await at.owner.client.call(listRollouts, { query });
    expect(items[0]).toMatchObject({ id: made.id, state: 'draft', stepCount: 5, counts: made.counts });
    const started = await act(at, made, 'start', 'It is time');
    expect(started).toMatchObject({ state: 'running', stepStartedAt: started.startedAt });
    const { events } = await report(at, made);
    expect(events.map(({ kind, text, actor }) => [kind, text, actor?.id])).toEqual([
      ['started', 'Started with 1 %: It is time', at.owner.developer.id],
      ['created', 'Rollout created.', at.owner.developer.id],
    ]);
  });

  it('is visible only to members of its project', async () => {
    const made = await create(at, await aRolloutFleet(at, 1));
    const stranger = await at.world.aDeveloper();
    const params = { rolloutId: made.id };
    await failing(stranger.client.call(readRollout, { params }), 'ROLLOUT_NOT_FOUND');
    await failing(stranger.client.call(readRolloutReport, { params }), 'ROLLOUT_NOT_FOUND');
  });

  it('is refused if its settings are not valid together', async () => {
    const fleet = await aRolloutFleet(at, 2);
    const stranger = await aRolloutFleet(at, 1);
    await failing(create(at, fleet, { bundleId: fleet.old }), 'BUNDLE_UNCHANGED');
    await failing(create(at, fleet, { bundleId: stranger.next }), 'BUNDLE_NOT_FOUND');
    await failing(create(at, fleet, { channelId: 'chn_none' }), 'CHANNEL_NOT_FOUND');
    for (const percents of [[50], [50, 20, 100], [100, 100]]) {
      const steps = percents.map(percent => ({ percent, startsBy: 'itself' as const }));
      await failing(create(at, fleet, { steps }), 'STEPS_UNFIT');
    }
    const foreign = await failing(
      create(at, fleet, { deviceIds: [...fleet.ids, ...stranger.ids] }),
      'DEVICE_NOT_FOUND',
    );
    expect(foreign).toMatchObject({ reason: 'DEVICE_NOT_FOUND', context: { ids: stranger.ids } });
    await create(at, fleet, { start: false });
    await failing(create(at, fleet), 'ROLLOUT_RUNNING');
  });

  it('keeps the steps that have begun', async () => {
    const fleet = await aRolloutFleet(at, 2);
    const steps = [1, 50, 100].map(percent => ({ percent, startsBy: 'hand' as const }));
    const made = await create(at, fleet, { steps });
    const edit = (percents: number[], more = {}) =>
      at.owner.client.call(editRollout, {
        params: { rolloutId: made.id },
        body: { steps: percents.map(percent => ({ percent, startsBy: 'hand' as const })), ...more },
      });
    for (const wrong of [[2, 50, 100], [1, 50], [1, 1, 100], [100]])
      await failing(edit(wrong), 'STEPS_UNFIT');
    await failing(edit([1, 70, 100], { gates: ['failures', 'failures'] }), 'INVALID_FIELDS');
    const edited = await edit([1, 70, 100], { rate: null, gates: ['failures'], reason: 'Faster' });
    expect(edited.steps.map(({ percent }) => percent)).toEqual([1, 70, 100]);
    expect(edited.steps[0]?.startedAt).toBe(made.steps[0]?.startedAt);
    expect(edited).toMatchObject({ rate: null, gates: ['failures'] });
    expect((await report(at, made)).events[0]).toMatchObject({ text: 'Settings changed: Faster' });
    await act(at, made, 'stop');
    await failing(edit([1, 80, 100]), 'ROLLOUT_STATE');
  });

  it('accepts only actions that its state allows', async () => {
    const fleet = await aRolloutFleet(at, 2);
    const made = await create(at, fleet, { start: false });
    for (const action of ['pause', 'resume', 'nextStep', 'rollBack', 'retryFailed'] as const)
      await failing(act(at, made, action), 'ROLLOUT_STATE');
    await act(at, made, 'start');
    await act(at, made, 'pause', 'A storm');
    expect(await read(at, made)).toMatchObject({ pausedBy: 'person', pauseCause: 'A storm' });
    await act(at, made, 'resume');
    expect((await act(at, made, 'nextStep')).step).toBe(1);
    await act(at, made, 'stop');
    for (const action of ['start', 'pause', 'resume', 'nextStep', 'stop'] as const)
      await failing(act(at, made, action), 'ROLLOUT_STATE');
    const unfinished = { projectId: fleet.projectId, state: 'unfinished' as const };
    expect(await at.owner.client.call(listRollouts, { query: unfinished })).toMatchObject({ total: 0 });
  });

  it('lists devices only once they are admitted', async () => {
    const fleet = await aRolloutFleet(at, 3);
    const made = await create(at, fleet, { start: false, deviceIds: fleet.ids.slice(0, 2) });
    const params = { rolloutId: made.id };
    expect(await at.owner.client.call(listRolloutDevices, { params })).toMatchObject({ total: 0 });
    expect(made.counts.admitted).toBe(0);
  });

  it('can be simulated with the last week, which changes nothing', async () => {
    const fleet = await aRolloutFleet(at, 20);
    const steps = [50, 100].map(percent => ({ percent, startsBy: 'itself' as const }));
    const body = { channelId: fleet.channel.id, bundleId: fleet.next, steps, rate: null, soakS: 3600 };
    const tried = await at.owner.client.call(tryRollout, { body });
    expect(tried).toMatchObject({
      total: 20,
      onlineDailyPercent: 100,
      steps: [
        { percent: 50, settledAfterH: 0 },
        { percent: 100, devices: 20, seenLastWeek: 20, settledAfterH: 1 },
      ],
    });
    expect(fleet.ids).toContain(tried.steps[0]?.examples[0]?.deviceId);
    await connect(at, fleet.ids, false);
    const away = await at.owner.client.call(tryRollout, { body });
    expect(away.onlineDailyPercent).toBe(0);
    expect(away.steps[0]?.settledAfterH).toBeUndefined();
    await failing(
      at.owner.client.call(tryRollout, { body: { ...body, steps: steps.slice(0, 1) } }),
      'STEPS_UNFIT',
    );
  });
});
