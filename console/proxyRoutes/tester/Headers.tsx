import css from './tester.module.css';

/** Headers as they are sent, a line each. */
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
