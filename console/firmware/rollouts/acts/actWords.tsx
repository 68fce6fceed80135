import type { ReactNode } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { installingOf, notBegunOf } from '#console/firmware/rollouts/rolloutWords.ts';
import type { Rollout, RolloutAct } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';

interface ActWords {
  label: string;
  /** The label of its button. */
  verb: string;
  /** The consequences, with the numbers; absent: it never asks. */
  says?: (rollout: Rollout) => ReactNode;
  /** Shown when it is done. */
  done: string;
  isDanger?: true;
  takesReason?: true;
}

export const actWords: Record<RolloutAct, ActWords> = {
  start: {
    label: 'Start rollout',
    verb: 'Start rollout',
    done: 'Rollout started',
    says: ({ steps: [first], bundle }) => (
      <p>
        Step 1 takes {countOf(first?.devices ?? 0, 'device')} to <b dir="auto">{bundle.name}</b>.
      </p>
    ),
  },
  pause: {
    label: 'Pause',
    verb: 'Pause rollout',
    done: 'Rollout paused',
  },
  resume: {
    label: 'Resume',
    verb: 'Resume rollout',
    done: 'Rollout resumed',
    takesReason: true,
    says: ({ step, steps, bundle, counts }) => (
      <p>
        It continues with step {step + 1} of {steps.length}.
        {counts.active + counts.waiting > 0 && (
          <>
            {' '}
            {countOf(counts.active + counts.waiting, 'device')} admitted before{' '}
            {counts.active + counts.waiting === 1 ? 'is' : 'are'} offered <b dir="auto">{bundle.name}</b>{' '}
            again.
          </>
        )}
      </p>
    ),
  },
  nextStep: {
    label: 'Start next step',
    verb: 'Start step',
    done: 'Step started',
    takesReason: true,
    says: ({ step, steps, counts, bundle }) => {
      const next = steps[step + 1];
      const more = Math.max(0, (next?.devices ?? 0) - (steps[step]?.devices ?? counts.admitted));
      return (
        <p>
          Step {step + 2} takes {countOf(more, 'more device', 'more devices')} to{' '}
          <b dir="auto">{bundle.name}</b>: {countOf(next?.devices ?? 0, 'device')} in all,{' '}
          {next && numberText(next.percent)} % of the channel.
        </p>
      );
    },
  },
  stop: {
    label: 'Stop',
    verb: 'Stop rollout',
    done: 'Rollout stopped',
    isDanger: true,
    takesReason: true,
    says: rollout => (
      <>
        <Held rollout={rollout} first="This ends the rollout for good: no further devices are admitted." />
        <p>
          {countOf(rollout.counts.updated, 'device')} that {rollout.counts.updated === 1 ? 'runs' : 'run'}{' '}
          <b dir="auto">{rollout.bundle.name}</b> already {rollout.counts.updated === 1 ? 'keeps' : 'keep'}{' '}
          it.
        </p>
      </>
    ),
  },
  rollBack: {
    label: 'Roll back',
    verb: 'Roll back',
    done: 'Rolling back',
    isDanger: true,
    takesReason: true,
    says: ({ counts, bundle, fromBundle }) => (
      <p>
        A new rollout takes {countOf(counts.updated, 'device')} that {counts.updated === 1 ? 'runs' : 'run'}{' '}
        <b dir="auto">{bundle.name}</b> back to <b dir="auto">{fromBundle?.name}</b>. Devices whose boot
        loader refuses an older version stay as they are.
      </p>
    ),
  },
  retryFailed: {
    label: 'Retry failed',
    verb: 'Retry',
    done: 'Failed devices are told to try again',
    says: ({ counts, bundle }) => (
      <p>
        {countOf(counts.failed + counts.unable, 'device')} that failed{' '}
        {counts.failed + counts.unable === 1 ? 'is' : 'are'} told to try <b dir="auto">{bundle.name}</b>{' '}
        again.
      </p>
    ),
  },
};

function Held({ rollout, first }: { rollout: Rollout; first: string }) {
  const { counts, fromBundle } = rollout;
  const waiting = notBegunOf(counts);
  const installing = installingOf(counts);
  const back = fromBundle ? <b dir="auto">{fromBundle.name}</b> : 'what they ran before';
  return (
    <p>
      {first}{' '}
      {waiting > 0 && (
        <>
          {countOf(waiting, 'device')} that {waiting === 1 ? 'has' : 'have'} not started installing{' '}
          {waiting === 1 ? 'returns' : 'return'} to {back}.{' '}
        </>
      )}
      {installing > 0 && (
        <>
          {countOf(installing, 'device')} that {installing === 1 ? 'is' : 'are'} installing{' '}
          {installing === 1 ? 'finishes' : 'finish'}.
        </>
      )}
    </p>
  );
}
