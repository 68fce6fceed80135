import css from '#console/firmware/rollouts/rollouts.module.css';
import { gateWords } from '#console/firmware/rollouts/rolloutWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import type { Rollout } from '#contract/rollout.ts';
import type { AskAct } from './useRolloutActs.tsx';

/** Why the rollout is paused, above everything else, with the two possible next actions. */
export function PausedBand({ rollout, ask }: { rollout: Rollout; ask: AskAct }) {
  const { pausedBy = 'person', pauseCause } = rollout;
  const by =
    pausedBy === 'person'
      ? 'This rollout is paused.'
      : `The ${gateWords[pausedBy].label.toLowerCase()} gate paused this rollout.`;
  return (
    <section className={css.band} aria-label="Paused">
      <WarningIcon />
      <p>
        <b>{by}</b> {pauseCause && <span dir="auto">{pauseCause}</span>} No further devices are admitted.
      </p>
      {ask && (
        <span className={css.bandButtons}>
          <Button onClick={() => ask('resume')}>Resume</Button>
          <Button onClick={() => ask('stop')}>Stop</Button>
        </span>
      )}
    </section>
  );
}
