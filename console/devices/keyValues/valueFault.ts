import { jsonFault } from '#console/ui/code/jsonText.ts';

/** The fault in the value of a pair. An empty text is not valid JSON either. */
export function valueFault(value: string): { value?: string } {
  if (jsonFault(value)) return { value: 'INVALID_JSON' };
  return JSON.parse(value) === null ? { value: 'NULL_VALUE' } : {};
}
