import { countOf } from '#console/firmware/firmwareWords.ts';
import type { RolloutActs } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { stepAdds, stepProgress } from '#console/firmware/rollouts/RolloutSteps.tsx';
import { gateWords, waitsForYou } from '#console/firmware/rollouts/rolloutWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { secondsText } from '#console/ui/time/secondsText.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Rollout } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './channelBand.module.css';

interface NextActProps {
  rollout: Rollout;
  acts: RolloutActs;
}

/** What the rollout does or waits for, with the one button that carries it on. */
export function NextAct({ rollout, acts }: NextActProps) {
  const now = useNow();
  const { state, step, steps } = rollout;
  if (state === 'draft') return <NotStarted rollout={rollout} acts={acts} />;
  if (state === 'paused') return <Paused rollout={rollout} acts={acts} />;
  if (acts.pending === 'pause') return <Says title="Pausing" text="No further devices are admitted." />;
  if (waitsForYou(rollout, now)) return <Waits rollout={rollout} acts={acts} />;
  const { first, second } = stepProgress(rollout);
  return (
    <Says title={`Step ${step + 1} of ${steps.length}`} text={[first, second].filter(Boolean).join(', ')} />
  );
}

function Says({ title, text }: { title: string; text: string }) {
  return (
    <div className={css.next} role="status">
      <h3 dir="auto">{title}</h3>
      <p dir="auto">{text}</p>
    </div>
  );
}

function NotStarted({ rollout: { steps, bundle }, acts }: NextActProps) {
  return (
    <div className={css.next}>
      <h3>Not started yet</h3>
      <p>
        Step 1 takes {countOf(steps[0]?.devices ?? 0, 'device')} to <span dir="auto">{bundle.name}</span>.
      </p>
      {acts.may && (
        <div className={css.buttons}>
          {acts.button('start')}
          <Button onClick={() => acts.start('stop')}>Stop</Button>
        </div>
      )}
    </div>
  );
}

function Paused({ rollout: { pausedBy, pauser, pauseCause }, acts }: NextActProps) {
  const by =
    pausedBy && pausedBy !== 'person'
      ? `the ${gateWords[pausedBy].label.toLowerCase()} gate`
      : (pauser?.name ?? 'a person');
  return (
    <div className={css.next}>
      <h3 dir="auto">Paused by {by}</h3>
      <p dir="auto">{pauseCause ?? 'No further devices are admitted.'}</p>
      {acts.may && (
        <div className={css.buttons}>
          <Button variant="primary" onClick={() => acts.start('resume')}>
            Resume
          </Button>
          <Button onClick={() => acts.start('stop')}>Stop</Button>
        </div>
      )}
    </div>
  );
}

/** The button becomes text at once, so that a second press cannot hit another one. */
function Waits({ rollout, acts }: NextActProps) {
  const { step, steps, counts, soakS } = rollout;
  const adds = stepAdds(steps, step + 1);
  if (acts.pending === 'nextStep')
    return <Says title={`Starting step ${step + 2}`} text={`It adds ${countOf(adds, 'device')}.`} />;
  const soaked = soakS > 0 ? `, soaked for ${secondsText(soakS)}` : '';
  return (
    <div className={css.next}>
      <h3>
        Step {step + 1} has settled. Start step {step + 2}?
      </h3>
      <p>
        {numberText(counts.updated)} of {countOf(counts.admitted, 'device')} updated,{' '}
        {counts.failed === 0 ? 'no failures' : `${numberText(counts.failed)} failed`}
        {soaked}. Step {step + 2} adds {countOf(adds, 'device')}.
      </p>
      {acts.may && (
        <div className={css.buttons}>
          <Button variant="primary" onClick={() => acts.start('nextStep')}>
            Start step {step + 2} (+{numberText(adds)})
          </Button>
        </div>
      )}
    </div>
  );
}
