import { useRead } from '#console/api.ts';
import { DayBars, type DayCount } from '#console/ui/DayBars.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { useUrlState } from '#console/urlState.ts';
import { readTrafficStats, type TrafficKind, type TrafficMonth } from '#contract/stats.ts';

const words: Record<TrafficKind, string> = {
  deviceMessagesIn: 'Messages from devices',
  deviceMessagesOut: 'Messages to devices',
  appCalls: 'App calls',
  serviceCalls: 'Service calls',
  proxyCalls: 'Proxy calls',
  apiCalls: 'Developer API calls',
  bytes: 'Bytes',
};

/** Where there is one kind and nothing to choose, the head says what is counted. */
const onlyWords = { ...words, apiCalls: 'Developer API calls, including those of this console' };

const dayMs = 86_400_000;

/** Traffic of the last two months to the current one. */
export function TrafficPanel({ projectId }: { projectId: string }) {
  const [{ traffic }, setUrl] = useUrlState();
  const range = lastTwoMonths(new Date());
  const read = useRead(readTrafficStats, {
    params: { projectId },
    query: range,
  });
  const { data } = read;
  const kinds = shownKinds(data);
  const kind = kinds.find(one => one === traffic) ?? kinds[0] ?? 'apiCalls';
  return (
    <Panel title="Traffic" note={kinds.length > 1 ? 'last 2 months' : onlyWords[kind]}>
      <ReadState read={read} what="The traffic" skeleton={<Skeleton lines={5} />} />
      {data && (
        <>
          {kinds.length > 1 && (
            <Chips
              label="Traffic type"
              single
              chips={kinds.map(value => ({ value, label: words[value] }))}
              chosen={[kind]}
              onChange={([chosen]) => setUrl({ traffic: chosen }, { replace: true })}
            />
          )}
          <DayBars label={words[kind]} days={daysOf(data, kind, range.begin)} />
        </>
      )}
    </Panel>
  );
}

/** What a project has none of is not offered. */
function shownKinds(months: TrafficMonth[] | undefined): TrafficKind[] {
  const all = Object.keys(words) as TrafficKind[];
  return all.filter(kind => months?.some(({ counts }) => counts[kind] > 0));
}

function lastTwoMonths(now: Date): { begin: string; end: string } {
  const month = (ago: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7);
  return { begin: month(2), end: month(0) };
}

/** Every day up to today, so that a quiet week looks like one. */
function daysOf(months: TrafficMonth[], kind: TrafficKind, begin: string): DayCount[] {
  const counts = new Map(months.flatMap(({ days }) => days.map(one => [one.day, one.counts[kind]])));
  const days: DayCount[] = [];
  for (let at = Date.parse(`${begin}-01T00:00:00Z`); at <= Date.now(); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push({ day, count: counts.get(day) ?? 0 });
  }
  return days;
}
