import type { ReactNode } from 'react';
import { percentText } from '#console/firmware/rollouts/rolloutWords.ts';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import type { DeviceFirmware, TargetOrigin } from '#contract/deviceFirmware.ts';
import css from './deviceFirmware.module.css';
import { ClockIcon, DashIcon } from './firmwareIcons.tsx';
import { PlaceLine } from './PlaceLine.tsx';

type Why = DeviceFirmware['why'];
type Standing = 'decides' | 'later' | 'not';

interface Decision {
  origin: TargetOrigin;
  title: string;
  standing: Standing;
  /** At the right: the bundle that this decides on, or why it does not apply. */
  result: string;
  text: ReactNode;
}

/** Pin, rollout and channel, in the order in which they are considered; the first that applies decides. */
export function Decisions({ why }: { why: Why }) {
  return (
    <ol className={css.decisions} aria-label="How it was decided">
      {decisionsOf(why).map(({ origin, title, standing, result, text }) => (
        <li key={origin} data-standing={standing}>
          <span className={css.mark}>{marks[standing]}</span>
          <div>
            <p className={css.decision}>
              <b>{title}</b>
              <span className={css.result} dir="auto">
                {result}
              </span>
            </p>
            <div className={css.because}>{text}</div>
          </div>
        </li>
      ))}
    </ol>
  );
}

const marks: Record<Standing, ReactNode> = {
  decides: <CheckIcon size={13} />,
  later: <ClockIcon size={13} />,
  not: <DashIcon size={13} />,
};

function decisionsOf(why: Why): Decision[] {
  return [pinOf(why), rolloutOf(why), channelOf(why)];
}

function pinOf({ pin }: Why): Decision {
  const same = { origin: 'pin', title: 'Pin' } as const;
  if (!pin)
    return {
      ...same,
      standing: 'not',
      result: 'does not apply',
      text: 'The device is not pinned to a bundle.',
    };
  return {
    ...same,
    standing: 'decides',
    result: pin.name,
    text: `It runs ${pin.name}, whatever its channel points at, until it is unpinned.`,
  };
}

function rolloutOf({ rollout, decidedBy }: Why): Decision {
  const origin = 'rollout';
  if (!rollout)
    return {
      origin,
      title: 'Rollout',
      standing: 'not',
      result: 'does not apply',
      text: 'Its channel has no rollout in progress.',
    };
  const { bundle, step, steps, percent, state, admittedAt, dueAt } = rollout;
  const title = `Rollout of ${bundle.name}, step ${step} of ${steps}`;
  if (decidedBy === 'rollout')
    return {
      origin,
      title,
      standing: 'decides',
      result: bundle.name,
      text: `It was admitted ${admittedAt ? momentText(admittedAt) : 'by this step'}.`,
    };
  if (decidedBy === 'pin')
    return { origin, title, standing: 'not', result: 'does not apply', text: 'A pinned device is left out.' };
  const isPaused = state === 'paused' ? ' The rollout is paused.' : '';
  if (admittedAt !== undefined)
    return {
      origin,
      title,
      standing: 'later',
      result: 'not yet',
      text: dueAt
        ? `It was admitted; its offer is due ${momentText(dueAt)}.${isPaused}`
        : `It was admitted and waits for its turn.${isPaused}`,
    };
  return {
    origin,
    title,
    standing: 'later',
    result: 'not yet',
    text: (
      <>
        <p>
          It takes the first {percentText(percent)} of the channel. This device’s place is{' '}
          {rollout.place.toFixed(2)} %, drawn from its id and the rollout’s id.{isPaused}
        </p>
        <PlaceLine rollout={rollout} />
      </>
    ),
  };
}

function channelOf({ channel, decidedBy }: Why): Decision {
  const origin = 'channel';
  const title = `Channel ${channel?.name ?? ''}`.trim();
  if (!channel?.bundle)
    return {
      origin,
      title,
      standing: 'not',
      result: 'no bundle',
      text: channel?.id ? 'It has no bundle.' : 'The class has no such channel yet, so it points at nothing.',
    };
  const { bundle, since } = channel;
  return {
    origin,
    title,
    result: bundle.name,
    standing: decidedBy === 'channel' ? 'decides' : 'not',
    text: since
      ? `It has pointed at ${bundle.name} since ${momentText(since)}.`
      : `It points at ${bundle.name}.`,
  };
}
