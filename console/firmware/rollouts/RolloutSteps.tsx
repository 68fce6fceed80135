import type { ReactNode } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import type { RolloutActs } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import { secondsText } from '#console/ui/time/secondsText.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Rollout } from '#contract/rollout.ts';
import { settledPercent } from '#rules/firmware/gateLimits.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './rollouts.module.css';
import { percentText, settledShare, spanText, stepText, waitsForYou } from './rolloutWords.ts';

interface RolloutStepsProps {
  rollout: Rollout;
  /** Absent: the step that waits is started elsewhere on the screen. */
  acts?: RolloutActs | undefined;
  /** Within a panel, whose border is enough. */
  isPart?: boolean;
}

/** The steps from first to last: the share of each, and the current one. */
export function RolloutSteps({ rollout, acts, isPart = false }: RolloutStepsProps) {
  const { steps } = rollout;
  const now = useNow();
  return (
    <ol className={css.steps} data-within={isPart || undefined} aria-label="Steps">
      {steps.map((step, at) => {
        const kind = kindOf(rollout, at, now);
        return (
          <li
            key={`${step.percent} ${step.devices}`}
            className={css.step}
            data-kind={kind}
            aria-current={kind === 'current' ? 'step' : undefined}
          >
            <p className={css.stepHead}>
              <span className={css.stepNumber}>{kind === 'over' ? <CheckIcon size={13} /> : at + 1}</span>
              <b>{stepText(step.percent)}</b>
              <span className={css.quiet}>{newThenTotal(steps, at)}</span>
            </p>
            <Standing rollout={rollout} at={at} acts={acts} />
          </li>
        );
      })}
    </ol>
  );
}

/** "2 devices", then "+8, then 10": the new devices of a step, and all up to it. */
function newThenTotal(steps: Rollout['steps'], at: number): string {
  const all = steps[at]?.devices ?? 0;
  if (at === 0) return countOf(all, 'device');
  return `+${numberText(stepAdds(steps, at))}, then ${numberText(all)}`;
}

/** How many devices a step admits that no earlier one did. */
export const stepAdds = (steps: Rollout['steps'], at: number): number =>
  Math.max(0, (steps[at]?.devices ?? 0) - (steps[at - 1]?.devices ?? 0));

type Kind = 'over' | 'current' | 'next';

/** Once a step waits for a person, that is the one to look at. */
function kindOf(rollout: Rollout, at: number, now: number): Kind {
  const { step, steps, state } = rollout;
  if (steps[at]?.endedAt !== undefined || state === 'finished') return 'over';
  if (state !== 'running' && state !== 'paused') return 'next';
  const isWaiting = state === 'running' && waitsForYou(rollout, now);
  if (isWaiting && at === step) return 'over';
  return at === (isWaiting ? step + 1 : step) ? 'current' : 'next';
}

function Standing({ rollout, at, acts }: Omit<RolloutStepsProps, 'isPart'> & { at: number }) {
  const { steps, step, state, finishedAt, soakS, counts } = rollout;
  const now = useNow();
  const { startedAt, endedAt = finishedAt, startsBy } = steps[at] ?? { startsBy: 'itself' };
  const kind = kindOf(rollout, at, now);
  if (kind === 'over' && at === step && state === 'running')
    return (
      <Lines
        first="Settled"
        second={`${numberText(counts.updated)} updated, ${numberText(counts.failed)} failed so far${soaked(soakS)}`}
      />
    );
  if (kind === 'over')
    return <Lines first="Finished" second={startedAt && endedAt && spanText(startedAt, endedAt)} />;
  if (kind === 'current' && at === step) return <Current rollout={rollout} />;
  if (kind === 'current') return <Waiting rollout={rollout} at={at} acts={acts} />;
  if (state === 'stopped' || state === 'superseded') return <Lines first="Not started" />;
  if (at === 0) return <Lines first="Starts with the rollout" />;
  if (startsBy === 'hand') return <Lines first="Starts when you approve" />;
  const after = soakS > 0 ? `${secondsText(soakS)} after step ${at} settles` : `when step ${at} settles`;
  return <Lines first="Starts by itself" second={`${after}, unless a gate closes`} />;
}

const soaked = (soakS: number) => (soakS > 0 ? `, soaked ${secondsText(soakS)}` : '');

/** The button is replaced by text at once, so that a second press cannot hit another one. */
function Waiting({ rollout, at, acts }: Omit<RolloutStepsProps, 'isPart'> & { at: number }) {
  if (acts?.pending === 'nextStep') return <Lines first={`Starting step ${at + 1}`} />;
  return (
    <>
      <Lines first="Waits for you" second={acts ? undefined : 'Starts when you approve'} />
      {acts?.may && (
        <Button variant="primary" onClick={() => acts.start('nextStep')}>
          Start step {at + 1} (+{numberText(stepAdds(rollout.steps, at))})
        </Button>
      )}
    </>
  );
}

function Current({ rollout }: { rollout: Rollout }) {
  const { state, stepStartedAt } = rollout;
  const since = stepStartedAt && `since ${momentText(stepStartedAt)}`;
  if (state === 'paused') return <Lines first="Paused" second={since} />;
  const { first, second = since } = stepProgress(rollout);
  return <Lines first={first} second={second} />;
}

/** How far the current step is, and what the next one waits for. */
export function stepProgress({ counts, settledAt, soakS, step, steps }: Rollout): {
  first: string;
  second?: string;
} {
  if (settledAt !== undefined)
    return { first: 'Settled', second: `soaks until ${momentText(Date.parse(settledAt) + soakS * 1000)}` };
  const share = settledShare(counts);
  if (share === undefined) return { first: 'No device reached yet' };
  const next = step + 1 < steps.length ? 'next step' : 'done';
  return { first: `${percentText(Math.floor(share))} finished; ${next} at ${settledPercent} %` };
}

function Lines({ first, second }: { first: string; second?: ReactNode }) {
  return (
    <>
      <p className={css.stepState}>{first}</p>
      {second && <p className={css.small}>{second}</p>}
    </>
  );
}
