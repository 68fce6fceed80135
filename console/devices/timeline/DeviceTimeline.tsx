import { useParams } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Day } from '#console/devices/activity/Day.tsx';
import { deviceName } from '#console/devices/deviceWords.ts';
import { spans } from '#console/devices/stateHistory/historyRange.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { MomentField } from '#console/ui/fields/MomentField.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import lines from '#console/ui/logs/Lines.module.css';
import viewer from '#console/ui/logs/LogViewer.module.css';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type Device, readDevice } from '#contract/device.ts';
import { type TimelineKind, timelineKinds } from '#contract/timeline.ts';
import { TimelineLine } from './TimelineLine.tsx';
import css from './timeline.module.css';
import { kindsOf, periodOf, rangeOf } from './timelineRange.ts';
import { isSaidTwice, kindWords } from './timelineWords.ts';
import { useTimeline } from './useTimeline.ts';

/** What happened to the device between two moments, whatever part of the platform knows of it. */
export function DeviceTimeline() {
  const { deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  const { data: device } = useRead(readDevice, { params: { deviceId } });
  return device && <Timeline device={device} />;
}

interface Range {
  begin: string;
  end: string;
}

const kindChips = timelineKinds.map(value => ({ value, label: kindWords[value] }));

function Timeline({ device }: { device: Device }) {
  const [url, change] = useUrlState();
  // Fixed while the page is open, so that pages follow each other; Refresh moves it.
  const [now, setNow] = useState(serverNow);
  const range = rangeOf(url, now);
  const kinds = kindsOf(url);
  const read = useTimeline(device.id, range, kinds);
  const refresh = () => (periodOf(url) === 'custom' ? void read.refetch() : setNow(serverNow()));
  return (
    <section className={viewer.viewer} aria-label="Timeline">
      <div className={bar.tools}>
        <PeriodFields range={range} />
        <span className={viewer.right}>
          {range && (
            <CopyText
              text={linkTo(range, url.kinds)}
              shown="Copy link"
              isWord
              label="Copy link to this period"
            />
          )}
          <Button variant="quiet" onClick={refresh}>
            Refresh
          </Button>
        </span>
      </div>
      <Chips
        label="Kinds"
        chips={kindChips}
        chosen={kinds}
        onChange={chosen => change({ kinds: chosen.join(',') || undefined }, { replace: true })}
      />
      <div className={viewer.frame}>
        <Lines device={device} read={read} kinds={kinds} hasRange={range !== undefined} />
      </div>
    </section>
  );
}

/** How far back, or from when to when. */
function PeriodFields({ range }: { range: Range | undefined }) {
  const [url, change] = useUrlState();
  const chosen = periodOf(url);
  return (
    <>
      <Segments
        label="Period"
        options={spans}
        chosen={chosen}
        onChange={period => change({ period, ...(period === 'custom' && range && minutesOf(range)) })}
      />
      {chosen === 'custom' &&
        (['from', 'to'] as const).map(name => (
          <MomentField
            key={name}
            label={name === 'from' ? 'From' : 'To'}
            className={css.moment}
            value={url[name]}
            invalid={range === undefined}
            onChange={value => change({ [name]: value }, { replace: true })}
          />
        ))}
    </>
  );
}

interface LinesProps {
  device: Device;
  read: ReturnType<typeof useTimeline>;
  kinds: readonly TimelineKind[];
  hasRange: boolean;
}

function Lines({ device, read, kinds, hasRange }: LinesProps) {
  if (!hasRange)
    return (
      <EmptyState title="Choose a period">
        The end must be after the start, and at most 31 days later.
      </EmptyState>
    );
  const items = read.data?.pages.flatMap(page => page.items).filter(item => !isSaidTwice(item, kinds));
  if (!items && read.error)
    return <ErrorState what="The timeline" error={read.error} onRetry={() => void read.refetch()} />;
  if (!items) return <Skeleton shape="lines" lines={8} />;
  const names = new Map([[device.id, deviceName(device)]]);
  return (
    <>
      {items.length === 0 && read.hasNextPage && (
        <EmptyState title="Nothing so far">Older entries of this period have not been read yet.</EmptyState>
      )}
      {items.length === 0 && !read.hasNextPage && (
        <EmptyState title="Nothing happened in this period">
          {kinds.length > 0
            ? 'Other kinds are left out.'
            : 'Choose a longer one. Messages are kept for 30 days.'}
        </EmptyState>
      )}
      <ol className={lines.mono}>
        {items.map((item, at) => (
          <Fragment key={`${item.kind} ${item.id}`}>
            <Day ts={item.at} before={items[at - 1]?.at} />
            <TimelineLine device={device} names={names} item={item} />
          </Fragment>
        ))}
      </ol>
      {read.hasNextPage && (
        <div className={lines.older}>
          <Button busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}

const minute = (iso: string) => `${iso.slice(0, 16)}Z`;
const minutesOf = ({ begin, end }: Range) => ({
  from: minute(begin),
  to: minute(end),
});

/** The period as it is now, so that a colleague sees the same tomorrow. */
function linkTo(range: Range, kinds: string | undefined): string {
  const { from, to } = minutesOf(range);
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?period=custom&from=${from}&to=${to}${kinds ? `&kinds=${kinds}` : ''}`;
}
