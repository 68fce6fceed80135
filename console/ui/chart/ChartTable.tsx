import css from './chart.module.css';

interface ChartTableProps {
  /** What it counts: "Messages". */
  label: string;
  heads: readonly string[];
  /** The newest first; the first cell names the row. */
  rows: readonly (readonly [name: string, ...values: string[]])[];
}

/** The figures behind a chart. */
export function ChartTable({ label, heads, rows }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.behind} aria-label={`${label} as a table`} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name}>
              <td>{name}</td>
              {values.map((value, at) => (
                <td key={heads[at + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
