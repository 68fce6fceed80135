import { type ReactNode, useEffect, useRef } from 'react';
import type { SchemaProperty } from '#console/devices/schema/schemaProperties.ts';
import type { SchemaRow } from '#console/devices/schema/schemaRows.ts';
import { rangeText, rangeWithUnit, typeText, unitOf } from '#console/devices/schema/schemaWords.ts';
import { moveAmong } from '#console/ui/focus/moveAmong.ts';
import list from '#console/ui/list/Table.module.css';
import type { ReportedProperties } from '#contract/deviceState.ts';
import { ReportedShare } from './ReportedShare.tsx';
import css from './schemaSection.module.css';

interface SchemaTableProps {
  label: string;
  rows: readonly SchemaRow[];
  /** How many devices report each property; absent if this is not counted. */
  reported: ReportedProperties | undefined;
  /** The row under the pointer, here or in the JSON. */
  marked: string | undefined;
  onMark: (id: string | undefined) => void;
  /** The row that was pressed, which stays marked. */
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

export function SchemaTable({ label, rows, reported, ...on }: SchemaTableProps) {
  const isCounted = reported !== undefined && reported.devices > 0;
  const table = useChosenInSight();
  return (
    <table
      ref={table}
      className={`${list.table} ${css.table}`}
      aria-label={label}
      onPointerLeave={() => on.onMark(undefined)}
      onKeyDown={event => moveAmong(event, 'button')}
    >
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col" className={css.type}>
            Type
          </th>
          <th scope="col" className={css.range}>
            Range
          </th>
          <th scope="col" className={css.unit}>
            Unit
          </th>
          {isCounted && (
            <th scope="col" className={css.share}>
              Reported by
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Row
            key={row.id}
            {...{ row, isCounted }}
            isMarked={row.id === on.marked}
            isChosen={row.id === on.chosen}
            onPoint={() => on.onMark(row.id)}
            onPress={() => on.onChoose(row.id)}
          >
            {row.property && isCounted && (
              <td className={css.share}>
                <ReportedShare property={row.property} reported={reported} />
              </td>
            )}
          </Row>
        ))}
      </tbody>
    </table>
  );
}

/** Scrolls to the row that a link points to. */
function useChosenInSight() {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    table.current
      ?.querySelector('[aria-pressed="true"]')
      ?.closest('tr')
      ?.scrollIntoView({ block: 'nearest' });
  }, []);
  return table;
}

interface RowProps {
  row: SchemaRow;
  isCounted: boolean;
  isMarked: boolean;
  isChosen: boolean;
  onPoint: () => void;
  onPress: () => void;
  /** Cells after the row's own. */
  children: ReactNode;
}

function Row({ row: { message, property }, isCounted, isMarked, isChosen, children, ...on }: RowProps) {
  const name = (text: string) => <RowName name={text} isChosen={isChosen} onPress={on.onPress} />;
  return (
    <tr
      data-marked={isMarked || isChosen || undefined}
      data-message={message !== undefined || undefined}
      onPointerEnter={on.onPoint}
    >
      {message && (
        <MessageCells message={message} span={isCounted ? 5 : 4}>
          {name(message.name)}
        </MessageCells>
      )}
      {property && <PropertyCells property={property}>{name(property.path)}</PropertyCells>}
      {children}
    </tr>
  );
}

interface RowNameProps {
  name: string;
  isChosen: boolean;
  onPress: () => void;
}

/** The name of a row; a press anywhere in the row marks its lines in the JSON, and unfolds them there. */
function RowName({ name, isChosen, onPress }: RowNameProps) {
  return (
    <button type="button" className={css.rowName} aria-pressed={isChosen} onClick={onPress}>
      <code>{name}</code>
    </button>
  );
}

interface MessageCellsProps {
  message: NonNullable<SchemaRow['message']>;
  span: number;
  children: ReactNode;
}

function MessageCells({ message: { title, isBare }, span, children }: MessageCellsProps) {
  return (
    <th scope="colgroup" colSpan={span}>
      {children}
      <span className={css.title}>{title ? <bdi>{title}</bdi> : isBare && 'no properties named'}</span>
    </th>
  );
}

function PropertyCells({ property, children }: { property: SchemaProperty; children: ReactNode }) {
  const { title, isRequired, schema } = property;
  return (
    <>
      <th scope="row">
        {children}
        <span className={css.title}>
          {title && <bdi>{title}</bdi>}
          {title && isRequired && ' · '}
          {isRequired && 'required'}
        </span>
      </th>
      <td className={css.type}>
        {typeText(schema)}
        <span className={css.under}>{rangeWithUnit(schema)}</span>
      </td>
      <td className={css.range}>{rangeText(schema) ?? '–'}</td>
      <td className={css.unit}>{unitOf(schema) ?? '–'}</td>
    </>
  );
}
