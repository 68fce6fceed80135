import css from './Segments.module.css';

interface SegmentsProps<Value extends string> {
  /** What is chosen here, for screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  chosen: Value;
  onChange: (value: Value) => void;
}

/** A choice of a few views of the same content. */
export function Segments<Value extends string>({ label, options, chosen, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset className={css.segments}>
      <legend className="visuallyHidden">{label}</legend>
      {options.map(({ value, label: text }) => (
        <button
          key={value}
          type="button"
          className={css.segment}
          aria-pressed={value === chosen}
          onClick={() => onChange(value)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
