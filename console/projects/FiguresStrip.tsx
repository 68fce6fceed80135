import { useRead } from '#console/api.ts';
import { useDeviceCountsLive } from '#console/devices/useDevicesLive.ts';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { listMembers } from '#contract/member.ts';
import { readStats } from '#contract/stats.ts';
import css from './overview.module.css';

/** The counts one looks for first. */
export function FiguresStrip({ projectId }: { projectId: string }) {
  useDeviceCountsLive();
  const stats = useRead(readStats, { params: { projectId } });
  const members = useRead(listMembers, { params: { projectId } });
  const error = stats.error ?? members.error;
  if ((!stats.data || !members.data) && error)
    return (
      <ErrorState
        what="The figures"
        error={error}
        onRetry={() => void Promise.all([stats.refetch(), members.refetch()])}
      />
    );
  if (!stats.data || !members.data) return <Skeleton lines={2} />;
  const { devices, users } = stats.data;
  const claimed = sum(devices.map(one => one.claimed));
  const figures: [string, number][] = [
    ['Devices', claimed + sum(devices.map(one => one.unclaimed))],
    ['Connected', sum(devices.map(one => one.connected))],
    ['Claimed', claimed],
    ['Users', users],
    ['Team', members.data.length],
  ];
  return (
    <dl className={css.figures}>
      {figures.map(([name, value]) => (
        <div key={name} className={css.figure}>
          <dt>{name}</dt>
          <dd>{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
