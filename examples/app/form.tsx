import { type FormEvent, type ReactNode, useState } from 'react';

export type Fields = Record<string, string>;
const texts = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Fields;

interface Asked {
  /** The label of the button. */
  act: string;
  to: (fields: Fields) => Promise<unknown>;
  /** The labels of the fields, by name. */
  fields?: Fields;
  children?: ReactNode;
}

/** A form that shows errors. */
export function Form({ act, to, fields = {}, children }: Asked) {
  const [error, setError] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const done = () => setError('');
    to(texts(event.currentTarget)).then(done, thrown => setError(thrown.message));
  };
  return (
    <form onSubmit={submit}>
      {Object.entries(fields).map(([name, label]) => (
        <label key={name}>
          {label} <input name={name} type={/password/i.test(name) ? 'password' : 'text'} />
        </label>
      ))}
      {children} <button type="submit">{act}</button> {error && <p role="alert">{error}</p>}
    </form>
  );
}
