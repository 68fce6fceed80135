import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { type AlertDetail, listAlerts } from '#contract/alert.ts';
import { readDevice } from '#contract/device.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './drawer.module.css';
import { JustBefore } from './JustBefore.tsx';

/** The device as it is now, how often this happens, and what changed right before. */
export function AlertContext({ projectId, alert }: { projectId: string; alert: AlertDetail }) {
  const { deviceId } = alert;
  const { data: device, error } = useRead(readDevice, { params: { deviceId } });
  const isDeleted = error?.reason === 'DEVICE_NOT_FOUND';
  const firmware = device?.bundleInstalled && (
    <Link
      to="/projects/$projectId/bundles/$bundleId"
      params={{ projectId, bundleId: device.bundleInstalled }}
      dir="auto"
    >
      {device.bundleInstalledName ?? device.bundleInstalled}
    </Link>
  );
  const connectionOf = () => {
    if (isDeleted) return 'The device was deleted';
    return device ? <DeviceStatePill key="state" device={device} /> : '…';
  };
  const facts: (readonly [string, ReactNode])[] = [
    ['Connection', connectionOf()],
    ...(firmware ? [['Firmware', firmware] as const] : []),
    ['Same alert', <SameAlert key="same" projectId={projectId} alert={alert} />],
    ...(isDeleted ? [] : [['Just before', <JustBefore key="before" alert={alert} />] as const]),
  ];
  return <Facts facts={facts} />;
}

/** "3 times in 30 days on this device, on 4 others as well" */
function SameAlert({ projectId, alert }: { projectId: string; alert: AlertDetail }) {
  const { deviceId, source } = alert;
  const today = Math.floor(serverNow() / dayMs) * dayMs;
  const cause = source.kind === 'module' ? { moduleId: source.moduleId } : { event: source.event };
  const query = { ...cause, begin: new Date(today - 30 * dayMs).toISOString(), limit: 1 };
  const params = { projectId };
  const all = useRead(listAlerts, { params, query }).data;
  const own = useRead(listAlerts, { params, query: { ...query, deviceId } }).data;
  if (!all || !own) return <>…</>;
  const others = all.total - own.total;
  const times = own.total === 1 ? 'Once' : `${numberText(own.total)} times`;
  return (
    <span className={css.inText}>
      <Link
        to="/projects/$projectId/alerts"
        params={params}
        search={
          {
            group: 'none',
            device: deviceId,
            ...(source.kind === 'module' && { module: source.moduleId }),
          } as never
        }
      >
        {times} in 30 days
      </Link>{' '}
      on this device, {others === 0 ? 'never on others' : `${numberText(others)} on others`}
    </span>
  );
}
