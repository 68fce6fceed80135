import { jsonFault } from '#console/ui/code/jsonText.ts';

/** What is wrong with the value of a pair. Nothing at all is no JSON either. */
export function valueFault(value: string): { value?: string } {
  if (jsonFault(value)) return { value: 'INVALID_JSON' };
  return JSON.parse(value) === null ? { value: 'NULL_VALUE' } : {};
}
