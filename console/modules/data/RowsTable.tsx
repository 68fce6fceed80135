import { numberText } from '#rules/text/numberText.ts';
import css from './data.module.css';
import type { Rows } from './rowsOf.ts';

const shownMax = 200;

/** A preview of the first rows. */
export function RowsTable({ rows: { columns, rows } }: { rows: Rows }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus */}
      <section className={css.scroller} aria-label="Rows" tabIndex={0}>
        <table className={css.rows} aria-label="Data">
          <thead>
            <tr>
              {columns.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownMax).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
              <tr key={at}>
                {columns.map(name => (
                  <td key={name} data-number={typeof row[name] === 'number' || undefined}>
                    <Cell value={row[name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shownMax && (
        <p className={css.none}>
          First {shownMax} of <b>{numberText(rows.length)}</b>
        </p>
      )}
    </>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return <span className={css.quiet}>—</span>;
  if (typeof value === 'string') return <span dir="auto">{value}</span>;
  return <code>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>;
}
