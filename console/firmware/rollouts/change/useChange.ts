import { useState } from 'react';
import type { GateValues } from '#console/firmware/rollouts/gates/GateFields.tsx';
import { type PaceValues, paceFrom, paceOf } from '#console/firmware/rollouts/PaceFields.tsx';
import { changedNames } from '#console/ui/code/changedNames.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type createRollout, type RolloutStep, rolloutGates } from '#contract/rollout.ts';
import { rolloutDefaults } from '#rules/firmware/rolloutDefaults.ts';

export type How = 'steps' | 'chosen' | 'now';

export interface ChosenDevice {
  id: string;
  name: string;
}

export type Change = ReturnType<typeof useChange>;

/** The settings of a change before it starts. */
export function useChange() {
  const [how, setHow] = useState<How>('steps');
  const [leavesOut, setLeavesOut] = useState(false);
  const [steps, setSteps] = useState<readonly RolloutStep[]>(rolloutDefaults.steps);
  const [pace, setPace] = useState<PaceValues>(paceOf(rolloutDefaults));
  const [gates, setGates] = useState<GateValues>({
    failurePercent: String(rolloutDefaults.failurePercent),
    gates: [...rolloutGates],
  });
  const [devices, setDevices] = useState<readonly ChosenDevice[]>([]);
  const asked: RolloutStep[] =
    how === 'now'
      ? [{ percent: 100, startsBy: 'itself' }]
      : how === 'chosen'
        ? [{ percent: 0, startsBy: 'itself' }, ...steps]
        : [...steps];
  /** The request body of the rollout, without the channel and the bundle. */
  const settings: Omit<BodyOf<typeof createRollout>, 'channelId' | 'bundleId'> = {
    steps: asked,
    ...paceFrom(pace),
    ...(how === 'now' && { rate: null }),
    failurePercent: Number(gates.failurePercent),
    gates: how === 'now' ? [] : gates.gates,
    leavesOutDowngrades: leavesOut,
    ...(how === 'chosen' && { deviceIds: devices.map(({ id }) => id) }),
  };
  const values = { how, leavesOut, steps, pace, gates, devices };
  const [atFirst] = useState(values);
  return {
    dirty: changedNames(atFirst, values).length > 0,
    how,
    setHow,
    leavesOut,
    setLeavesOut,
    steps,
    setSteps,
    pace,
    setPace,
    gates,
    setGates,
    devices,
    setDevices,
    settings,
    /** A change of all devices at once needs no rollout: the channel itself is edited. */
    isEdit: how === 'now' && !leavesOut,
  };
}
