import type { FieldProps } from '#console/ui/form/Field.tsx';

/**
 * The error of a field whose text is too long. The browser's own `maxlength` would silently cut pasted text, so it is
 * not used: all of the text is accepted and reported as too long.
 */
export function lengthOf(
  value: string,
  max: number | undefined,
  { error, aside }: Pick<FieldProps, 'error' | 'aside'>,
): Pick<FieldProps, 'error' | 'aside'> {
  if (max === undefined || value.length <= max) return { error, aside };
  return { error: error ?? 'TOO_LONG', aside: `${value.length} of ${max} characters` };
}
