import type { ReactNode } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import type { AskAct } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import { secondsText } from '#console/ui/time/secondsText.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Rollout } from '#contract/rollout.ts';
import { settledPercent } from '#rules/firmware/gateLimits.ts';
import css from './rollouts.module.css';
import { percentText, settledShare, spanText, stepText } from './rolloutWords.ts';

/** The steps from first to last: the share of each, and the current one. */
export function RolloutSteps({ rollout, ask }: { rollout: Rollout; ask: AskAct }) {
  const { steps } = rollout;
  return (
    <ol className={css.steps} aria-label="Steps">
      {steps.map((step, at) => {
        const kind = kindOf(rollout, at);
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
              <span className={css.quiet}>{countOf(step.devices, 'device')}</span>
            </p>
            <Standing rollout={rollout} at={at} ask={ask} />
          </li>
        );
      })}
    </ol>
  );
}

type Kind = 'over' | 'current' | 'next';

function kindOf({ step, steps, state }: Rollout, at: number): Kind {
  if (steps[at]?.endedAt !== undefined || state === 'finished') return 'over';
  return at === step && (state === 'running' || state === 'paused') ? 'current' : 'next';
}

function Standing({ rollout, at, ask }: { rollout: Rollout; at: number; ask: AskAct }) {
  const { steps, step, state, finishedAt } = rollout;
  const now = useNow();
  const { startedAt, endedAt = finishedAt, startsBy } = steps[at] ?? { startsBy: 'itself' };
  const kind = kindOf(rollout, at);
  if (kind === 'over')
    return <Lines first="Finished" second={startedAt && endedAt && spanText(startedAt, endedAt)} />;
  if (kind === 'current') return <Current rollout={rollout} />;
  if (state === 'stopped' || state === 'superseded') return <Lines first="Not started" />;
  if (startsBy === 'hand') {
    const isDue = at === step + 1 && state === 'running' && isSoaked(rollout, now);
    return (
      <>
        <Lines first="Waits for you" second={isDue ? undefined : 'set to be started manually'} />
        {isDue && ask && (
          <Button variant="primary" onClick={() => ask('nextStep')}>
            Start step {at + 1}
          </Button>
        )}
      </>
    );
  }
  return (
    <Lines first="Starts automatically" second={at === 0 ? 'at the start' : `when step ${at} is over`} />
  );
}

/** The waiting time is over: the rollout continues by itself, or when someone starts the next step. */
const isSoaked = ({ settledAt, soakS }: Rollout, now: number) =>
  settledAt !== undefined && Date.parse(settledAt) + soakS * 1000 <= now;

function Current({ rollout }: { rollout: Rollout }) {
  const now = useNow();
  const { state, counts, stepStartedAt, settledAt, soakS } = rollout;
  const since = stepStartedAt && `since ${momentText(stepStartedAt)}`;
  if (state === 'paused') return <Lines first="Paused" second={since} />;
  if (isSoaked(rollout, now)) return <Lines first="Settled" second={`soaked for ${secondsText(soakS)}`} />;
  if (settledAt !== undefined)
    return (
      <Lines first="Settled" second={`soaks until ${momentText(Date.parse(settledAt) + soakS * 1000)}`} />
    );
  const share = settledShare(counts);
  return (
    <Lines
      first={
        share === undefined
          ? 'No device reached yet'
          : `${percentText(Math.floor(share))} settled, needs ${settledPercent} %`
      }
      second={since}
    />
  );
}

function Lines({ first, second }: { first: string; second?: ReactNode }) {
  return (
    <>
      <p className={css.stepState}>{first}</p>
      {second && <p className={css.small}>{second}</p>}
    </>
  );
}
