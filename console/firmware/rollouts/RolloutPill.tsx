import { StatePill } from '#console/ui/state/StatePill.tsx';
import type { RolloutRow } from '#contract/rollout.ts';
import { gateWords, rolloutStateWords } from './rolloutWords.ts';

interface RolloutPillProps {
  rollout: Pick<RolloutRow, 'state' | 'step' | 'pausedBy' | 'bundle'> & { stepCount: number };
  shape?: 'pill' | 'lines';
  /** Names the bundle where nothing beside the pill does. */
  withBundle?: true;
}

/** The progress of a rollout. */
export function RolloutPill({ rollout, shape = 'pill', withBundle }: RolloutPillProps) {
  const { state, step, stepCount, pausedBy, bundle } = rollout;
  const stands =
    state === 'running' || state === 'paused' ? `step ${Math.min(step + 1, stepCount)} of ${stepCount}` : '';
  const by =
    state === 'paused' && pausedBy && pausedBy !== 'person'
      ? `by the ${gateWords[pausedBy].label.toLowerCase()} gate`
      : '';
  const detail = [by, stands, withBundle && `to ${bundle.name}`].filter(Boolean).join(' · ');
  return <StatePill shape={shape} {...rolloutStateWords[state]} detail={detail} />;
}
