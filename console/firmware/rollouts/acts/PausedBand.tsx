import css from '#console/firmware/rollouts/rollouts.module.css';
import { gateWords } from '#console/firmware/rollouts/rolloutWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import type { Rollout } from '#contract/rollout.ts';
import type { RolloutActs } from './useRolloutActs.tsx';

/** Why the rollout is paused, above everything else, with the two possible next actions. */
export function PausedBand({ rollout, acts }: { rollout: Rollout; acts: RolloutActs }) {
  const { pausedBy = 'person', pauser, pauseCause } = rollout;
  const by =
    pausedBy === 'person'
      ? `${pauser?.name ?? 'A person'} paused this rollout.`
      : `The ${gateWords[pausedBy].label.toLowerCase()} gate paused this rollout.`;
  return (
    <section className={css.band} aria-label="Paused">
      <WarningIcon />
      <p>
        <b dir="auto">{by}</b> {pauseCause && <span dir="auto">{pauseCause}</span>} No further devices are
        admitted.
      </p>
      {acts.may && (
        <span className={css.bandButtons}>
          <Button onClick={() => acts.start('resume')}>Resume</Button>
          <Button onClick={() => acts.start('stop')}>Stop</Button>
        </span>
      )}
    </section>
  );
}
