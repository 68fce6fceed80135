import type { FieldProps } from '#console/ui/form/Field.tsx';

/**
 * What a field says of a text that is too long. The browser's own limit would cut what is pasted without a word, so it is
 * not used: all of it is taken, and said to be too much.
 */
export function lengthOf(
  value: string,
  max: number | undefined,
  { error, aside }: Pick<FieldProps, 'error' | 'aside'>,
): Pick<FieldProps, 'error' | 'aside'> {
  if (max === undefined || value.length <= max) return { error, aside };
  return { error: error ?? 'TOO_LONG', aside: `${value.length} of ${max} characters` };
}
