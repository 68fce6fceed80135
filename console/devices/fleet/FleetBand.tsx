import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { sumOf, totalOf } from '#console/devices/states/deviceStates.ts';
import { StateBar, StateLegend } from '#console/devices/states/StateBar.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import type { DeviceState } from '#contract/device.ts';
import { type Finding, listFindings } from '#contract/finding.ts';
import { readStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ConnectedChart } from './ConnectedChart.tsx';
import css from './fleet.module.css';
import { useConnectedHistory } from './useConnectedHistory.ts';

/** The health of the fleet: how many of its devices are connected, now and over the last day. */
export function FleetBand({ projectId }: { projectId: string }) {
  const read = useRead(readStats, { params: { projectId } });
  const history = useConnectedHistory(projectId);
  const loss = useRead(listFindings, { params: { projectId } }).data?.find(({ signal }) => signal === 'lost');
  const { data } = read;
  if (!data)
    return (
      <section className={css.band} aria-label="Fleet">
        <ReadState read={read} what="The fleet" skeleton={<Skeleton lines={3} />} />
      </section>
    );
  const states = sumOf(data.devices);
  const total = totalOf(states);
  const linkTo = (state: DeviceState) =>
    ({ to: '/projects/$projectId/devices', params: { projectId }, search: { state } as never }) as const;
  return (
    <section className={css.band} aria-label="Fleet">
      <div className={css.now}>
        <h2 className={css.figure}>
          {total === 0
            ? 'No devices yet'
            : `${numberText(states.connected)} of ${numberText(total)} connected`}
        </h2>
        <p className={css.quiet}>
          {loss?.loss ? (
            <LossText since={loss.since} loss={loss.loss} connected={states.connected} />
          ) : (
            shareText(states.connected, total, history.yesterday)
          )}
        </p>
        <div className={css.states}>
          <StateBar states={states} linkTo={linkTo} />
          <StateLegend states={states} linkTo={linkTo} />
        </div>
      </div>
      <ConnectedChart
        history={history}
        connected={states.connected}
        total={total}
        lost={loss?.loss && { ...loss.loss, at: Date.parse(loss.since) }}
      />
    </section>
  );
}

interface LossTextProps {
  since: string;
  loss: NonNullable<Finding['loss']>;
  connected: number;
}

/** "25 fewer than before 06:12 · nothing has come back since" */
function LossText({ since, loss, connected }: LossTextProps) {
  const fewer = Math.max(0, loss.before - connected);
  return (
    <>
      <span className={css.loss}>
        {numberText(fewer)} fewer than before {hourText(since)}
      </span>
      {loss.connected >= connected && ' · nothing has come back since'}
    </>
  );
}

/** "78 % of the fleet, 3 more than at this time yesterday" */
function shareText(connected: number, total: number, yesterday: number | undefined): ReactNode {
  if (total === 0) return 'Connect a device to see it here.';
  const share = `${Math.floor((connected / total) * 100)} % of the fleet`;
  if (yesterday === undefined) return share;
  const more = connected - yesterday;
  const compared =
    more === 0 ? 'as many as' : `${numberText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than`;
  return (
    <>
      {share}, {compared} <span className={css.exact}>at this time </span>yesterday
    </>
  );
}
