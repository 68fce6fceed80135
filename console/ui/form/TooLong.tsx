import { numberText } from '#rules/text/numberText.ts';
import css from './Field.module.css';

interface TooLongProps {
  id: string;
  value: string;
  max: number;
  /** Shown beside the field in its row, instead of on a line of its own. */
  beside?: true;
}

export const isTooLong = (value: string, max: number) => value.trim().length > max;

/**
 * The message of a search or filter field whose text is too long. Pasted text is never cut: all of it stays, but is not
 * sent.
 */
export function TooLong({ id, value, max, beside }: TooLongProps) {
  if (!isTooLong(value, max)) return null;
  return (
    <p id={id} role="alert" className={css.tooLong} data-beside={beside}>
      This is too long: {numberText(value.trim().length)} of {max} characters.
    </p>
  );
}
