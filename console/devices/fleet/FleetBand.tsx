import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { sumOf, totalOf } from '#console/devices/states/deviceStates.ts';
import { StateBar, StateLegend } from '#console/devices/states/StateBar.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { DeviceState } from '#contract/device.ts';
import { readStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ConnectedChart } from './ConnectedChart.tsx';
import css from './fleet.module.css';
import { useConnectedHistory } from './useConnectedHistory.ts';

/** The health of the fleet: how many of its devices are connected, now and over the last day. */
export function FleetBand({ projectId }: { projectId: string }) {
  const read = useRead(readStats, { params: { projectId } });
  const history = useConnectedHistory(projectId);
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
        <p className={css.quiet}>{shareText(states.connected, total, history.yesterday)}</p>
        <div className={css.states}>
          <StateBar states={states} linkTo={linkTo} />
          <StateLegend states={states} linkTo={linkTo} />
        </div>
      </div>
      <ConnectedChart history={history} connected={states.connected} total={total} />
    </section>
  );
}

/** "78 % of the fleet, 3 more than at this time yesterday" */
function shareText(connected: number, total: number, yesterday: number | undefined): ReactNode {
  if (total === 0) return 'How many are connected is shown here.';
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
