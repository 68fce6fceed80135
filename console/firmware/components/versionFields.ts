import { isJsonObject, jsonFault, parsedJson, textOfJson } from '#console/ui/code/jsonText.ts';
import type { FieldTable } from '#console/ui/fields/fields.ts';
import { type ComponentVersion, versionNameMax } from '#contract/componentVersion.ts';

const securityVersionMax = 2_147_483_647;

export const versionFields: FieldTable<'name' | 'securityVersion'> = {
  name: {
    label: 'Name',
    mono: true,
    required: true,
    max: versionNameMax,
    placeholder: '4.2.0',
    hint: 'Devices report it. It cannot change once a bundle contains the version.',
  },
  securityVersion: {
    label: 'Security version',
    max: 10,
    check: text => (isSecurityVersion(text) ? undefined : 'OUT_OF_RANGE'),
    hint: 'A whole number. Devices refuse versions with a lower number than the one they run. Increase it when you fix a vulnerability.',
  },
};

function isSecurityVersion(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= securityVersionMax;
}

type Schema = ComponentVersion['deviceConfigSchema'];

/** The text for the editor; empty if there is no schema. */
export const schemaText = (schema: Schema): string => (schema === undefined ? '' : textOfJson(schema));

/** The schema in the editor; undefined if the editor is empty. */
export const schemaOfText = (text: string): Schema => (text.trim() ? parsedJson(text) : undefined);

/** A schema must be valid JSON: an object, or true or false. */
export function schemaFault(text: string): string | undefined {
  if (!text.trim()) return undefined;
  if (jsonFault(text)) return 'INVALID_JSON';
  return isJsonObject(text) || typeof JSON.parse(text) === 'boolean' ? undefined : 'INVALID_OBJECT';
}
