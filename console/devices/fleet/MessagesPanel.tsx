import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { Bars } from '#console/ui/chart/Bars.tsx';
import { ChartTable } from '#console/ui/chart/ChartTable.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { readMessageHours, readTrafficStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import css from './fleet.module.css';
import { barsOfDays, barsOfHours, sumOfBars, ticksOf } from './messageBars.ts';

const spans = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '2mo', label: '2 mo' },
] as const;
type Span = (typeof spans)[number]['value'];
const hoursOf = { '24h': 24, '7d': 7 * 24 } as const;
const askAgainMs = minuteMs;

/** Messages from and to devices, starting with the first hour or day that has any. */
export function MessagesPanel({ projectId }: { projectId: string }) {
  const [{ messages }, setUrl] = useUrlState();
  const [asTable, setAsTable] = useState(false);
  const span = spans.find(({ value }) => value === messages)?.value ?? '24h';
  const { read, bars } = useBars(projectId, span);
  const [incoming, outgoing] = sumOfBars(bars ?? []);
  const total = incoming + outgoing;
  return (
    <Panel
      title="Messages"
      note={bars && `${numberText(total)} in ${inWords[span]}`}
      action={
        <Segments
          label="Time range"
          options={spans}
          chosen={span}
          onChange={value => setUrl({ messages: value === '24h' ? undefined : value }, { replace: true })}
        />
      }
    >
      <ReadState read={read} what="The messages" skeleton={<Skeleton lines={6} unsized />} />
      {bars && total === 0 && <p className={css.quiet}>No messages in {inWords[span]}.</p>}
      {bars && total > 0 && (
        <>
          <p className={css.key}>
            <span data-part="0">
              From devices <b>{numberText(incoming)}</b>
            </span>
            <span data-part="1">
              To devices <b>{numberText(outgoing)}</b>
            </span>
            <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </Button>
          </p>
          {asTable ? (
            <ChartTable
              label="Messages"
              heads={['Time', 'From devices', 'To devices']}
              rows={bars
                .toReversed()
                .map(({ label, values: [from = 0, to = 0] }) => [label, numberText(from), numberText(to)])}
            />
          ) : (
            <Bars
              label={`${numberText(incoming)} messages from devices and ${numberText(outgoing)} to devices in ${inWords[span]}`}
              bars={bars}
              ticks={ticksOf(bars)}
            />
          )}
        </>
      )}
    </Panel>
  );
}

const inWords = { '24h': '24 h', '7d': '7 days', '2mo': '2 months' } as const;

function useBars(projectId: string, span: Span) {
  const [now] = useState(() => serverNow());
  const params = { projectId };
  const isByDay = span === '2mo';
  const hours = useRead(readMessageHours, { params }, { enabled: !isByDay, refetchInterval: askAgainMs });
  const days = useRead(readTrafficStats, { params, query: lastTwoMonths(now) }, { enabled: isByDay });
  if (isByDay) return { read: days, bars: days.data && barsOfDays(days.data, serverNow()) };
  const from = serverNow() - hoursOf[span] * hourMs;
  return { read: hours, bars: hours.data && barsOfHours(hours.data.hours, from, serverNow(), span === '7d') };
}

function lastTwoMonths(now: number): { begin: string; end: string } {
  const at = new Date(now);
  const month = (ago: number) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1)).toISOString().slice(0, 7);
  return { begin: month(2), end: month(0) };
}
