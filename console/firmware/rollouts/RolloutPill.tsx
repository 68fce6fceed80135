import { StatePill } from '#console/ui/state/StatePill.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Rollout, RolloutAct, RolloutRow } from '#contract/rollout.ts';
import { gateWords, standingWords, waitsForYou } from './rolloutWords.ts';

interface RolloutPillProps {
  rollout: Pick<
    RolloutRow,
    'state' | 'step' | 'pausedBy' | 'pauser' | 'waitsFrom' | 'settledAt' | 'bundle' | 'stepCount'
  >;
  shape?: 'pill' | 'lines';
  /** Names the bundle where nothing beside the pill does. */
  withBundle?: true;
  /** An act that has been asked for and is not confirmed yet. */
  pending?: RolloutAct | undefined;
}

/** The progress of a rollout. */
export function RolloutPill({ rollout, shape = 'pill', withBundle, pending }: RolloutPillProps) {
  const now = useNow();
  if (pending === 'pause') return <StatePill shape={shape} tone="warn" word="Pausing" />;
  const { state, step, stepCount, pausedBy, bundle } = rollout;
  const isUnderWay = state === 'running' || state === 'paused';
  const isSettled = rollout.settledAt !== undefined || waitsForYou(rollout, now);
  const stands = isUnderWay
    ? `step ${Math.min(step + 1, stepCount)} of ${stepCount}${isSettled && state === 'running' ? ' settled' : ''}`
    : '';
  const gate =
    state === 'paused' && pausedBy && pausedBy !== 'person' ? gateWords[pausedBy].label.toLowerCase() : '';
  const detail = [gate, stands, withBundle && `to ${bundle.name}`].filter(Boolean).join(' · ');
  return <StatePill shape={shape} {...standingWords(rollout, now)} detail={detail} />;
}

/** A rollout in detail, as lists have it. */
export const asRow = (rollout: Rollout) => ({ ...rollout, stepCount: rollout.steps.length });
