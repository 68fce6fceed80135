import { isJsonObject, jsonFault, parsedJson, textOfJson } from '#console/ui/code/jsonText.ts';
import { appConfigBytesMax } from '#contract/app.ts';

export type ConfigFault = 'INVALID_JSON' | 'INVALID_OBJECT' | 'TOO_LARGE';

/** Why a text is not a valid config; an empty text is the empty config. */
export function configFault(text: string): ConfigFault | undefined {
  if (text.trim() === '') return undefined;
  if (jsonFault(text)) return 'INVALID_JSON';
  if (!isJsonObject(text)) return 'INVALID_OBJECT';
  return configBytes(text) > appConfigBytesMax ? 'TOO_LARGE' : undefined;
}

export function configOf(text: string): Record<string, never> {
  return text.trim() === '' ? {} : parsedJson(text);
}

/** An empty config is shown as an empty field: two braces tell the reader nothing. */
export function textOfConfig(config: object): string {
  return Object.keys(config).length === 0 ? '' : textOfJson(config);
}

/** The size as sent; for a text that is not valid JSON, the size as typed. */
export function configBytes(text: string): number {
  const sent = text.trim() === '' ? '{}' : jsonFault(text) ? text : JSON.stringify(JSON.parse(text));
  return new TextEncoder().encode(sent).length;
}
