import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Result } from '#contract/client.ts';
import { type RankedDevice, rankDevices, rankings } from '#contract/stateHistory.ts';
import { numberText } from '#rules/text/numberText.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { type Meaning, valueText } from './historySeries.ts';
import css from './rankedDevices.module.css';

const askAgainMs = minuteMs;

const words = { highest: 'Highest', lowest: 'Lowest', latest: 'Latest' };

interface RankedDevicesProps {
  projectId: string;
  classId: string;
  property: string;
  meaning: Meaning;
}

/** Which devices of a class have the highest or lowest current value, or reported it last. */
export function RankedDevices({ projectId, classId, property, meaning }: RankedDevicesProps) {
  const [url, change] = useUrlState();
  const by = rankings.find(one => one === url.rank) ?? 'highest';
  const read = useRead(
    rankDevices,
    { params: { classId }, query: { projectId, property, by } },
    { refetchInterval: askAgainMs },
  );
  // The previous list stays while another order is loading.
  const [last, setLast] = useState<Result<typeof rankDevices>>();
  if (read.data && last !== read.data) setLast(read.data);
  const data = read.data ?? (read.error ? undefined : last);
  const values = data?.devices.map(({ value }) => value) ?? [];
  const span = values.length > 0 ? Math.max(...values) - Math.min(...values) : 0;
  return (
    <section className={css.ranked} aria-label="Devices by value">
      <header>
        <h4>Devices now</h4>
        {data?.isComplete && <span>{reportedByWords(data.reportedBy)}</span>}
        <Segments
          label="Which devices"
          options={rankings.map(value => ({ value, label: words[value] }))}
          chosen={by}
          onChange={rank => change({ rank: rank === 'highest' ? undefined : rank }, { replace: true })}
        />
      </header>
      <ReadState read={{ ...read, data }} what="The devices" skeleton={<Skeleton shape="rows" lines={3} />} />
      {data && !data.isComplete && (
        <p>This class has too many devices to compare here. Export the list of instances to compare them.</p>
      )}
      {data?.isComplete && data.devices.length === 0 && <p>No device reports it now.</p>}
      <ol>
        {data?.devices.map(device => (
          <li key={device.deviceId}>
            <RankedLine {...{ projectId, device, meaning, span }} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function RankedLine({
  projectId,
  device,
  meaning,
  span,
}: {
  projectId: string;
  device: RankedDevice;
  meaning: Meaning;
  /** How far apart the values of the list are. */
  span: number;
}) {
  const { deviceId, name, tag, value, reportedAt } = device;
  return (
    <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }}>
      <bdi>{name || tag || deviceId}</bdi>
      <b>{meaning.isBoolean ? String(value === 1) : valueText(value, meaning, span)}</b>
      <span>
        <TimeAgo time={reportedAt} />
      </span>
    </Link>
  );
}

const reportedByWords = (count: number) =>
  count === 1 ? '1 device reports it' : `${numberText(count)} devices report it`;
