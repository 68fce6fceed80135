import type { SchemaProperty } from '#console/schema/schemaProperties.ts';
import type { SchemaRow } from '#console/schema/schemaRows.ts';
import { rangeText, rangeWithUnit, typeText, unitOf } from '#console/schema/schemaWords.ts';
import type { ReportedProperties } from '#contract/deviceState.ts';
import { ReportedShare } from './ReportedShare.tsx';
import css from './schemaSection.module.css';

interface SchemaTableProps {
  label: string;
  rows: readonly SchemaRow[];
  /** How many devices report each; absent where nobody counts. */
  reported: ReportedProperties | undefined;
  /** The row that is marked, here and in the JSON. */
  marked: string | undefined;
  onMark: (id: string | undefined) => void;
}

export function SchemaTable({ label, rows, reported, marked, onMark }: SchemaTableProps) {
  const isCounted = reported !== undefined && reported.devices > 0;
  return (
    <table className={css.table} aria-label={label} onPointerLeave={() => onMark(undefined)}>
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
        {rows.map(({ id, message, property }) => (
          <tr
            key={id}
            data-marked={id === marked || undefined}
            data-message={message !== undefined || undefined}
            onPointerEnter={() => onMark(id)}
          >
            {message && <MessageCells message={message} span={isCounted ? 5 : 4} />}
            {property && <PropertyCells property={property} />}
            {property && isCounted && (
              <td className={css.share}>
                <ReportedShare property={property} reported={reported} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function MessageCells({ message, span }: { message: NonNullable<SchemaRow['message']>; span: number }) {
  const { name, title, isBare } = message;
  return (
    <th scope="colgroup" colSpan={span}>
      <code>{name}</code>
      <span className={css.title}>{title ?? (isBare && 'no properties named')}</span>
    </th>
  );
}

function PropertyCells({ property: { path, title, isRequired, schema } }: { property: SchemaProperty }) {
  return (
    <>
      <th scope="row">
        <code>{path}</code>
        <span className={css.title}>{[title, isRequired && 'required'].filter(Boolean).join(' · ')}</span>
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
