import fc from 'fast-check';
import { expect, it } from 'vitest';
import { retryDeviceUpdate } from '#contract/deviceFirmware.ts';
import { listRollouts } from '#contract/rollout.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { act, aRolloutFleet, bring, create, look, read, settle, targetsOf } from '#test/rollouts.ts';
import { storeCounts } from './counts.ts';

// Without workers: the test advances the rollout itself.
const at = aProjectWorld({ ROLES: 'api' });

const devices = 5;
const device = fc.nat(devices - 1);
const ends = ['updated', 'failed', 'declined'] as const;
const event = fc.oneof(
  fc.record({ what: fc.constantFrom('pause', 'resume', 'stop', 'look', 'storeCounts', 'retryFailed') }),
  fc.record({ what: fc.constantFrom('install', 'retry'), device }),
  fc.record({ what: fc.constant('end'), device, end: fc.constantFrom(...ends) }),
);

/** What each device of a rollout that is for all of them did, and the state of the rollout. */
interface Model {
  state: 'running' | 'paused' | 'stopped' | 'finished';
  ended: (undefined | (typeof ends)[number])[];
  begun: boolean[];
}

it('a rollout and its devices do what a model says, and list and detail count the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 12 }), async events => {
      const fleet = await aRolloutFleet(at, devices);
      const steps = [{ percent: 100, startsBy: 'hand' as const }];
      const made = await create(at, fleet, { steps, gates: [], soakS: 3_600 });
      await look(at, made);
      const none = Array.from({ length: devices });
      const model: Model = {
        state: 'running',
        ended: none.map(() => undefined),
        begun: none.map(() => false),
      };
      for (const one of events) await happen(one, fleet, made, model);
      const { counts, state } = await read(at, made);
      expect(state).toBe(model.state);
      const count = (end: (typeof ends)[number]) => model.ended.filter(is => is === end).length;
      const { updated, failed, declined, unable, left, active, waiting, admitted } = counts;
      expect({ updated, failed, declined }).toEqual({
        updated: count('updated'),
        failed: count('failed'),
        declined: count('declined'),
      });
      expect(updated + failed + declined + unable + left + active + waiting).toBe(admitted);
      const { items } = await at.owner.client.call(listRollouts, { query: { projectId: fleet.projectId } });
      expect(items.map(row => row.counts)).toEqual([counts]);
      const targets = await targetsOf(at, fleet);
      for (const [place, id] of fleet.ids.entries()) {
        const runsNew = targets.find(({ deviceId }) => deviceId === id)?.bundleId === fleet.next;
        const isHeld = model.ended[place] === 'updated' || model.begun[place] === true;
        if (model.state === 'running' || isHeld) expect([place, runsNew]).toEqual([place, true]);
        else if (model.ended[place] === undefined) expect([place, runsNew]).toEqual([place, false]);
      }
    }),
    { numRuns: 25 },
  );
});

type Happening = { what: string; device?: number; end?: (typeof ends)[number] };

async function happen(
  { what, device: place = 0, end = 'updated' }: Happening,
  fleet: Awaited<ReturnType<typeof aRolloutFleet>>,
  made: Awaited<ReturnType<typeof create>>,
  model: Model,
): Promise<void> {
  const id = fleet.ids[place] ?? '';
  const has = model.ended[place] !== undefined;
  const mayGoOn = model.state === 'running' || model.begun[place] === true;
  if (what === 'look') return look(at, made);
  if (what === 'storeCounts') return storeCounts(at.world.platform);
  if (what === 'install' && model.state === 'running' && !has) {
    await bring(at, [id], 'installing');
    model.begun[place] = true;
  }
  if (what === 'end' && !has && mayGoOn) {
    // A device that installs no longer asks.
    const ended = end === 'declined' && model.begun[place] === true ? 'failed' : end;
    await settle(at, made, [id], ended, ended === 'failed' ? { code: 'boot_failed' } : {});
    model.ended[place] = ended;
    model.begun[place] = false;
  }
  if (what === 'retry' && model.state === 'running' && has && model.ended[place] !== 'updated') {
    await at.owner.client.call(retryDeviceUpdate, { params: { deviceId: id } });
    model.ended[place] = undefined;
  }
  if (what === 'retryFailed' && model.state === 'running') {
    await act(at, made, 'retryFailed');
    model.ended = model.ended.map(is => (is === 'updated' ? is : undefined));
  }
  const next = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;
  const isPossible =
    (what === 'pause' && model.state === 'running') ||
    (what === 'resume' && model.state === 'paused') ||
    (what === 'stop' && (model.state === 'running' || model.state === 'paused'));
  if (!isPossible) return;
  await act(at, made, what);
  model.state = next[what];
  // Devices that declined have not begun, so they go back, and are asked again when the rollout continues.
  if (what !== 'resume') model.ended = model.ended.map(is => (is === 'declined' ? undefined : is));
  await look(at, made);
}
