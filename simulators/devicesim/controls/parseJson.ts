import { parseStrictJson } from '#rules/strictJson.ts';
import type { Json } from '#sdk/device.ts';

/** What the text says as JSON, as strictly as the platform reads it; undefined where it is none. */
export function parseJson(text: string): { value: Json } | undefined {
  const parsed = parseStrictJson(text);
  return parsed.ok ? { value: parsed.value as Json } : undefined;
}
