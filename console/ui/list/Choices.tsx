import { type ReactNode, useId } from 'react';
import css from './Choices.module.css';

interface ChoicesProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string; hint: ReactNode }[];
}

/** A choice of a few options, each explained in a sentence, for cases in which labels alone would be unclear. */
export function Choices<Value extends string>({ label, value, onChange, choices }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <fieldset className={css.choices}>
      <legend>{label}</legend>
      {choices.map(choice => (
        <div key={choice.value} className={css.choice}>
          <input
            type="radio"
            name={id}
            id={id + choice.value}
            aria-describedby={`${id}${choice.value}hint`}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label htmlFor={id + choice.value}>{choice.label}</label>
            <p id={`${id}${choice.value}hint`}>{choice.hint}</p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
