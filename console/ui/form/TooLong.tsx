import css from './Field.module.css';

interface TooLongProps {
  id: string;
  value: string;
  max: number;
  /** Beside the field in its row, or else on a line of its own. */
  beside?: true;
}

export const isTooLong = (value: string, max: number) => value.trim().length > max;

/**
 * What a field to search or filter by says of a text that is too long. What is pasted is never cut: all of it stays, and
 * is not asked for.
 */
export function TooLong({ id, value, max, beside }: TooLongProps) {
  if (!isTooLong(value, max)) return null;
  return (
    <p id={id} role="alert" className={css.tooLong} data-beside={beside}>
      This is too long: {value.trim().length.toLocaleString('en')} of {max} characters.
    </p>
  );
}
