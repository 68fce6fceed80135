import { useQuery } from '@tanstack/react-query';
import { call } from '#console/core/client.ts';
import { percentText, stepText } from '#console/firmware/rollouts/rolloutWords.ts';
import fold from '#console/ui/screen/Disclosure.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import type { Bundle } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import { pathOf } from '#contract/client.ts';
import { type RolloutTryOut, tryRollout } from '#contract/rolloutReport.ts';
import { numberText } from '#rules/text/numberText.ts';
import { hourMs } from '#rules/time/durations.ts';
import css from './change.module.css';
import type { Change } from './useChange.ts';

interface TryOutPanelProps {
  channel: Channel;
  bundle: Bundle;
  change: Change;
}

/** How long the steps would have taken, given when the devices were connected in the last seven days. */
export function TryOutPanel({ channel, bundle, change }: TryOutPanelProps) {
  const { rate, soakS, leavesOutDowngrades } = change.settings;
  const body = {
    channelId: channel.id,
    bundleId: bundle.id,
    steps: [...change.steps],
    ...(rate !== undefined && { rate }),
    ...(soakS !== undefined && { soakS }),
    ...(leavesOutDowngrades !== undefined && { leavesOutDowngrades }),
  };
  const read = useQuery({
    queryKey: [pathOf(tryRollout, {}), body],
    queryFn: ({ signal }) => call(tryRollout, { body, signal }),
  });
  return (
    <Panel title="If this had run last week">
      <ReadState read={read} what="The dry run" skeleton={<Skeleton lines={4} />} />
      {read.data && <Outcome tried={read.data} />}
    </Panel>
  );
}

function Outcome({ tried }: { tried: RolloutTryOut }) {
  const { steps, total, onlineDailyPercent } = tried;
  const first = steps.find(({ devices }) => devices > 0);
  const last = steps.at(-1);
  if (total === 0 || !first || !last) return <p className={css.text}>No device would change.</p>;
  const names = first.examples.map(({ name, tag, deviceId }) => name || tag || deviceId);
  return (
    <div className={css.tried}>
      <p className={css.text}>
        {last.settledAfterH === undefined && onlineDailyPercent === 0 ? (
          'There are too few connections from the last seven days to predict how long it would take.'
        ) : (
          <>
            Based on the connections of the last seven days, step {steps.indexOf(first) + 1} would be done{' '}
            <When hours={first.settledAfterH} /> and all steps <When hours={last.settledAfterH} />.{' '}
            {percentText(onlineDailyPercent)} of the devices were online at least once a day.
          </>
        )}
      </p>
      {names.length > 0 && (
        <p className={css.small} dir="auto">
          Step {steps.indexOf(first) + 1} would take devices such as {names.join(', ')}. Each rollout selects
          its own devices.
        </p>
      )}
      <details className={css.details}>
        <summary className={fold.disclosure}>Step by step</summary>
        <table aria-label="Dry run, step by step">
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Devices</th>
              <th scope="col">Seen in 7 days</th>
              <th scope="col">Done after</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ percent, devices, seenLastWeek, settledAfterH }) => (
              <tr key={percent}>
                <td>{stepText(percent)}</td>
                <td>{numberText(devices)}</td>
                <td>{numberText(seenLastWeek)}</td>
                <td>
                  {devices === 0 ? '–' : settledAfterH === undefined ? 'longer' : hoursText(settledAfterH)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

function When({ hours }: { hours: number | undefined }) {
  if (hours === undefined) return <b>not within the week</b>;
  return (
    <>
      after <b>{hoursText(hours)}</b>
    </>
  );
}

const hoursText = (hours: number) => durationText(hours * hourMs);
