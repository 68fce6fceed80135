import { useMemo, useState } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { utcMinute } from '#console/ui/fields/dayField.ts';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import { projectPropertiesMax } from '#contract/stateHistory.ts';
import { historyPropertiesMax } from '#rules/state/stateNumbers.ts';
import { CustomRange } from './CustomRange.tsx';
import { type HistoryRange, rangeOf, type Span, spans } from './historyRange.ts';
import { inSchemaOrder, type Meaning, meaningsOf } from './historySeries.ts';
import { LargeChart } from './LargeChart.tsx';
import { SmallChart } from './SmallChart.tsx';
import css from './stateHistory.module.css';
import { type HistorySource, useHistory } from './useHistory.ts';

/** The number of points in a small chart. */
const smallPoints = 48;
/** This many are shown at first. */
const shownMax = 12;

const unknown: Meaning = { unit: undefined, title: undefined, isBoolean: false };

interface NumbersPanelProps {
  source: HistorySource;
  /** The schema of the class, which has units and the order. */
  schema: unknown;
}

/** The history of the numbers in the reported state: all of them in small charts, one of them in a large chart. */
export function NumbersPanel({ source, schema }: NumbersPanelProps) {
  const [url, change] = useUrlState();
  const now = useNow();
  const range = rangeOf(url, now);
  const read = useHistory(source, { range, points: smallPoints });
  const [showsAll, setShowsAll] = useState(false);
  const meanings = useMemo(() => meaningsOf(schema), [schema]);
  const series = read.data && inSchemaOrder(read.data.series, meanings);
  const opened = url.number;
  const isCustom = url.history === 'custom';
  const choice = <RangeChoice shown={range} />;
  const behind = 'classId' in source ? ' New reports are added every five minutes.' : '';
  const none = `No numbers reported in ${range?.words}.${behind}`;
  if (series?.length === 0 && opened === undefined && !isCustom)
    return (
      <LinePanel title="History" action={choice}>
        {none}
      </LinePanel>
    );
  const shown = showsAll ? series : series?.slice(0, shownMax);
  return (
    <Panel title="History" note={range && `mean and range of ${range.words}`} flush action={choice}>
      {isCustom && <CustomRange />}
      {opened !== undefined && range && (
        <LargeChart
          {...{ source, range }}
          property={opened}
          meaning={meanings.get(opened) ?? unknown}
          onClose={() => change({ number: undefined }, { replace: true })}
        />
      )}
      {range && <ReadState read={read} what="The history" skeleton={<div className={css.waiting} />} />}
      {series?.length === 0 && <p className={css.none}>{none}</p>}
      {read.data && shown && range && (
        <ul className={css.tiles}>
          {shown.map(one => (
            <SmallChart
              key={one.property}
              series={one}
              history={read.data as NonNullable<typeof read.data>}
              range={range}
              meaning={meanings.get(one.property) ?? unknown}
              isOpen={one.property === opened}
              onOpen={isOpen => change({ number: isOpen ? one.property : undefined }, { replace: true })}
            />
          ))}
        </ul>
      )}
      {series && shown && series.length > shown.length && (
        <p className={css.more}>
          <Button variant="quiet" onClick={() => setShowsAll(true)}>
            Show all {series.length} numbers
          </Button>
        </p>
      )}
      <WithoutHistory names={read.withoutHistory} />
    </Panel>
  );
}

function RangeChoice({ shown }: { shown: HistoryRange | undefined }) {
  const [url, change] = useUrlState();
  const chosen = url.history === 'custom' ? 'custom' : (shown?.span ?? '24h');
  const choose = (span: Span) => {
    // A custom range starts with the range on screen.
    const own =
      span === 'custom' && shown
        ? { from: utcMinute(new Date(shown.from)), to: utcMinute(new Date(shown.to)) }
        : undefined;
    change({ history: span === '24h' ? undefined : span, from: own?.from, to: own?.to }, { replace: true });
  };
  return <Segments label="Time range of the history" options={spans} chosen={chosen} onChange={choose} />;
}

const namedMax = 3;

function WithoutHistory({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const others = names.length - namedMax;
  const named = others > 0 ? `${names.slice(0, namedMax).join(', ')} and ${others} more` : names.join(', ');
  return (
    <p className={css.without}>
      No history for {named}: a device can have {historyPropertiesMax} numbers, a project{' '}
      {projectPropertiesMax}.
    </p>
  );
}
