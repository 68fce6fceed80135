import { parseStrictJson } from '#rules/json/strictJson.ts';
import type { Json } from '#sdk/device.ts';

/** Parses JSON as strictly as the platform; undefined if the text is not valid JSON. */
export function parseJson(text: string): { value: Json } | undefined {
  const parsed = parseStrictJson(text);
  return parsed.ok ? { value: parsed.value as Json } : undefined;
}
