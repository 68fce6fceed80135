import { Link } from '@tanstack/react-router';
import { useMay } from '#console/core/membership/useMay.ts';
import { devicesText } from '#console/firmware/channels/channelWords.ts';
import { FailedCount } from '#console/firmware/channels/firmware/FailedCount.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { RolloutPill } from '#console/firmware/rollouts/RolloutPill.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Channel, createChannel } from '#contract/channel.ts';
import type { RolloutRow } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './firmwareOverview.module.css';
import type { ClassRuns } from './whatRuns.ts';

interface ClassFirmwareProps {
  projectId: string;
  of: ClassRuns;
  /** By channel; undefined: not known yet. */
  rollouts: ReadonlyMap<string, RolloutRow> | undefined;
}

/** One class: what its devices run, and what they are told to run. */
export function ClassFirmware({ projectId, of, rollouts }: ClassFirmwareProps) {
  const { deviceClass: classId, devices, channels } = of;
  const mayCreate = useMay(createChannel);
  return (
    <Panel
      title={classId}
      note={countOf(devices, 'device')}
      flush
      action={
        <Link
          className={css.more}
          to="/projects/$projectId/device_classes/$classId/instances"
          params={{ projectId, classId }}
        >
          Devices
        </Link>
      }
    >
      {devices > 0 && <Runs projectId={projectId} of={of} />}
      {channels.length === 0 ? (
        <p className={css.none}>
          No channel yet, so its devices get no updates.{' '}
          {mayCreate && (
            <Link className={css.link} to="/projects/$projectId/channels" params={{ projectId }} hash="new">
              Create a channel
            </Link>
          )}
        </p>
      ) : (
        <Table
          label={`Channels of ${classId}`}
          columns={columnsOf(rollouts)}
          rows={channels}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          rowLink={({ id: channelId }) => ({
            to: '/projects/$projectId/channels/$channelId',
            params: { projectId, channelId },
          })}
        />
      )}
    </Panel>
  );
}

/** The bundles that devices report as installed, as a bar whose labels are links. */
function Runs({ projectId, of: { runs, unknown, deviceClass } }: Omit<ClassFirmwareProps, 'rollouts'>) {
  if (runs.length === 0) return <p className={css.none}>No device has reported what it runs yet.</p>;
  return (
    <div className={css.runs}>
      <div className={css.bar} aria-hidden="true">
        {runs.map(({ name, count }, at) => (
          <span key={name} data-nth={at} style={{ flexGrow: count }} />
        ))}
        {unknown > 0 && <span data-nth="unknown" style={{ flexGrow: unknown }} />}
      </div>
      <ul className={css.legend}>
        {runs.map(({ bundleId, name, count }, at) => (
          <li key={name} data-nth={at}>
            {bundleId ? (
              <Link
                to="/projects/$projectId/devices"
                params={{ projectId }}
                search={{ class: deviceClass, bundle: bundleId } as never}
              >
                <span dir="auto">{name}</span> <b>{numberText(count)}</b>
              </Link>
            ) : (
              <span>
                {name} <b>{numberText(count)}</b>
              </span>
            )}
          </li>
        ))}
        {unknown > 0 && (
          <li data-nth="unknown">
            Not reported <b>{numberText(unknown)}</b>
          </li>
        )}
      </ul>
    </div>
  );
}

function columnsOf(rollouts: ClassFirmwareProps['rollouts']): readonly Column<Channel>[] {
  return [
    { id: 'channel', head: 'Channel', cell: ({ name }) => <TwoLines strong main={name} /> },
    {
      id: 'bundle',
      head: 'Bundle',
      width: '26%',
      cell: ({ bundleName, bundleSince }) =>
        bundleName === undefined ? (
          <span className={css.quiet}>None yet</span>
        ) : (
          <TwoLines main={<span dir="auto">{bundleName}</span>} sub={<TimeAgo time={bundleSince} />} />
        ),
    },
    { id: 'devices', head: 'Devices', width: '16%', cell: ({ deviceCount }) => devicesText(deviceCount) },
    {
      id: 'failed',
      head: 'Failed',
      width: '10%',
      align: 'end',
      hasValue: ({ failedCount }) => failedCount > 0,
      cell: ({ failedCount }) => <FailedCount count={failedCount} />,
    },
    {
      id: 'rollout',
      head: 'Rollout',
      width: '28%',
      hasValue: ({ id }) => rollouts?.has(id) ?? false,
      cell: ({ id }) => {
        const rollout = rollouts?.get(id);
        return rollout ? <RolloutPill rollout={rollout} shape="lines" /> : '–';
      },
    },
  ];
}
