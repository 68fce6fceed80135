import css from './tester.module.css';

/** Headers as sent, one per line. */
export function Headers({ headers }: { headers: readonly { name: string; value: string }[] }) {
  return (
    <dl className={css.headers}>
      {headers.map(({ name, value }) => (
        <div key={`${name} ${value}`}>
          <dt>{name}</dt>
          <dd title={value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
