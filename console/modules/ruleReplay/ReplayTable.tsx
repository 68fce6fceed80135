import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { readCondition } from '#console/modules/sentence/readCondition.ts';
import { namedAt, valueName } from '#console/modules/sentence/words.ts';
import { Button } from '#console/ui/Button.tsx';
import { localTime } from '#console/ui/logs/localTime.ts';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import type { ReplayRow, RuleNames, RuleReplay } from '#contract/ruleReplay.ts';
import { numberText } from '#rules/text/numberText.ts';
import type { ReplayKind } from './ReplayPanel.tsx';
import css from './replay.module.css';

const kindWords: Record<ReplayKind, { word: string; tone: Tone }> = {
  same: { word: 'As before', tone: 'never' },
  new: { word: 'New', tone: 'ok' },
  gone: { word: 'No longer', tone: 'danger' },
};
const firstRows = 5;

interface ReplayTableProps {
  replay: RuleReplay;
  /** Only hits of this kind. */
  kind: ReplayKind | undefined;
  isCompared: boolean;
  /** The units of the values. */
  names: RuleNames | undefined;
}

/** The latest hits, each with the reason and what the rule would do. */
export function ReplayTable({ replay, kind, isCompared, names }: ReplayTableProps) {
  const [all, setAll] = useState(false);
  const rows = replay.rows.filter(row => kind === undefined || row.kind === kind);
  const { hits } = replay;
  const total = kind ? hits[kind] : hits.same + hits.new + hits.gone;
  if (rows.length === 0)
    return (
      <p className={css.none}>{kind ? 'None of these.' : 'It would not have acted in the last 24 hours.'}</p>
    );
  const shown = all ? rows : rows.slice(0, firstRows);
  return (
    <>
      <table className={css.rows} aria-label="Hits">
        <thead>
          <tr>
            {isCompared && <th scope="col">Against the saved rule</th>}
            <th scope="col">Time</th>
            <th scope="col">Device</th>
            <th scope="col">Why</th>
            <th scope="col">Would do</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(row => (
            <Row
              key={`${row.kind} ${row.event.id} ${row.device.id} ${row.at}`}
              row={row}
              {...{ isCompared, names }}
            />
          ))}
        </tbody>
      </table>
      <footer className={css.foot}>
        <span>
          Newest {numberText(shown.length)} of <b>{numberText(total)}</b>
        </span>
        {shown.length < rows.length && <Button onClick={() => setAll(true)}>Show {rows.length}</Button>}
      </footer>
    </>
  );
}

type RowProps = Pick<ReplayTableProps, 'isCompared' | 'names'> & { row: ReplayRow };

function Row({ row, isCompared, names }: RowProps) {
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const { at, kind, device, parts, would, isHeld } = row;
  const { word, tone } = kindWords[kind];
  return (
    <tr>
      {isCompared && (
        <td>
          <span className={css.kind}>
            <Dot tone={tone} /> {word}
          </span>
        </td>
      )}
      <td>
        <time dateTime={at}>{localTime(at)}</time>
      </td>
      <td>
        <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId: device.id }}>
          <span dir="auto">{device.name || device.tag || device.id}</span>
        </Link>
      </td>
      <td>
        <Why parts={parts} names={names} />
      </td>
      <td className={kind === 'gone' || isHeld ? css.quiet : undefined}>
        {kind === 'gone'
          ? 'nothing; the saved rule acted'
          : isHeld
            ? 'held back'
            : would.map(({ action }) => action).join(', ') || 'nothing'}
      </td>
    </tr>
  );
}

/** The values that made the condition true, by the names that people use; other parts as they are written. */
function Why({ parts, names }: { parts: ReplayRow['parts'] } & Pick<ReplayTableProps, 'names'>) {
  return (
    <span className={css.why}>
      {parts.map(({ what, value }, at) => {
        const read = readCondition(what);
        const left = 'reason' in read ? undefined : read.tests[0]?.left;
        const unit = namedAt(names, left)?.unit;
        return (
          <span key={what}>
            {at > 0 && ', '}
            {left === undefined || value === undefined ? (
              <code>{value === undefined ? what : `${what}: ${value}`}</code>
            ) : (
              <>
                {valueName(left)} <b>{[value, unit].filter(Boolean).join(' ')}</b>
              </>
            )}
          </span>
        );
      })}
    </span>
  );
}
