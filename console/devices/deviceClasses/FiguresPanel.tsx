import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { channelName } from '#console/devices/deviceWords.ts';
import { exactText, figureText } from '#console/devices/states/figures.ts';
import { StateStripe } from '#console/devices/states/StateBar.tsx';
import { classInput } from '#console/devices/useDeviceClass.ts';
import fold from '#console/ui/screen/Disclosure.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { type DeviceFigures, readDeviceFigures } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceClasses.module.css';

interface Figure {
  label: string;
  count: string;
  tone?: Tone;
  /** The search that lists exactly these devices. */
  search: Record<string, string>;
}

/** How many devices are in which condition; each figure links to the list of those devices. */
export function FiguresPanel({ deviceClass }: { deviceClass: DeviceClass }) {
  const { projectId, id: classId, deviceCount } = deviceClass;
  const params = { projectId, classId };
  const read = useRead(readDeviceFigures, classInput(projectId, classId));
  const { data } = read;
  return (
    <Panel
      title="Devices"
      note={numberText(deviceCount)}
      action={
        <Link
          className={css.headLink}
          to="/projects/$projectId/device_classes/$classId/instances"
          params={params}
        >
          Open the list
        </Link>
      }
    >
      <ReadState read={read} what="The figures" skeleton={<Skeleton lines={3} />} />
      {data && (
        <>
          <StateStripe states={data} isWide />
          <Figures params={params} figures={byState(data)} />
          <details className={css.more}>
            <summary className={fold.disclosure}>By claim and channel</summary>
            <Figures params={params} figures={[...byClaim(data), ...byChannel(data)]} />
          </details>
        </>
      )}
    </Panel>
  );
}

function byState({ connected, disconnected, never, suspended }: DeviceFigures): Figure[] {
  return [
    { label: 'Connected', tone: 'ok', count: exactText(connected), search: { state: 'connected' } },
    {
      label: 'Disconnected',
      tone: 'off',
      count: figureText(disconnected),
      search: { state: 'disconnected' },
    },
    { label: 'Never connected', tone: 'never', count: figureText(never), search: { state: 'never' } },
    { label: 'Suspended', tone: 'danger', count: figureText(suspended), search: { state: 'suspended' } },
  ];
}

function byClaim({ claimed, unclaimed }: DeviceFigures): Figure[] {
  return [
    { label: 'Claimed', count: exactText(claimed), search: { claimed: 'true' } },
    { label: 'Unclaimed', count: exactText(unclaimed), search: { claimed: 'false' } },
  ];
}

function byChannel({ channels }: DeviceFigures): Figure[] {
  return channels.map(({ channel, count }) => ({
    label: channelName(channel),
    count: figureText(count),
    search: { channel: channelName(channel) },
  }));
}

interface FiguresProps {
  params: { projectId: string; classId: string };
  figures: readonly Figure[];
}

function Figures({ params, figures }: FiguresProps) {
  return (
    <ul className={css.figures}>
      {figures.map(({ label, count, tone, search }) => (
        <li key={label}>
          <Link
            to="/projects/$projectId/device_classes/$classId/instances"
            params={params}
            search={search as never}
          >
            <span className={css.figureLabel}>
              {tone && <Dot tone={tone} />}
              {label}
            </span>
            <b>{count}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}
