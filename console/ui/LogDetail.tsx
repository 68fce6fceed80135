import css from './LogDetail.module.css';

type Fields = Record<string, unknown>;

/** What an entry carries: a change as a table of before and after, the rest as JSON. */
export function LogDetail({ action, detail }: { action: string; detail: Fields }) {
  const { before, after, ...rest } = detail;
  const changes = changesOf(before, after);
  return (
    <div className={css.detail}>
      {changes.length > 0 && (
        <table className={css.changes} aria-label="What changed">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(([name, was, is]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className={css.was}>{text(was)}</td>
                <td className={css.is}>{text(is)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <pre className={css.json}>{JSON.stringify({ action, ...rest }, null, 2)}</pre>
    </div>
  );
}

function changesOf(before: unknown, after: unknown): [name: string, was: unknown, is: unknown][] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys({ ...was, ...is }).map(name => [name, was[name], is[name]]);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
