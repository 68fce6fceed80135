import { schemaKinds } from '#console/devices/deviceClasses/schema/schemaForm.ts';
import {
  downloadChoices,
  minutesNames,
  minutesText,
  updateFields,
} from '#console/devices/deviceClasses/updateFields.ts';
import { compactJson } from '#console/ui/code/compactJson.ts';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import type { TextChange } from '#console/ui/code/TextChanges.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import type { ClassField, DeviceClassRevisionRow } from '#contract/deviceClassRevision.ts';
import { listText } from '#rules/text/listText.ts';

/** The editable fields of a class, which the class itself and each of its revisions have. */
export type Definition = Pick<DeviceClass, ClassField>;

const updates = 'Firmware updates';

/** The part of the class page where a field is edited. */
function placeOf(field: ClassField): string {
  if (field === 'description') return 'Description';
  return schemaKinds.find(kind => kind.field === field)?.title ?? updates;
}

/** "Changed: description. Removed: state schema." */
export function changedText({ changed, removed }: Pick<DeviceClassRevisionRow, 'changed' | 'removed'>) {
  const kept = changed.filter(field => !removed.includes(field));
  const said = [
    kept.length > 0 && `Changed: ${placesText(kept)}.`,
    removed.length > 0 && `Removed: ${placesText(removed)}.`,
  ];
  return said.filter(Boolean).join(' ');
}

/** "description, state schema and firmware updates" */
export function placesText(fields: readonly ClassField[]): string {
  return listText([...new Set(fields.map(placeOf))].map(place => place.toLowerCase()));
}

/** Two definitions of a class as pairs of texts, each pair compared on its own. */
export function textsOf(before: Definition, after: Definition): TextChange[] {
  return [
    ...schemaKinds.map(({ title, field }) => ({
      label: title,
      before: schemaText(before[field]),
      after: schemaText(after[field]),
    })),
    { label: 'Description', before: before.description, after: after.description },
    { label: updates, before: updatesText(before), after: updatesText(after) },
  ];
}

function schemaText(schema: unknown): string {
  return schema === undefined ? '' : compactJson(textOfJson(schema));
}

function updatesText(definition: Definition): string {
  const { label } = updateFields.sendsDeltas;
  return [
    ...minutesNames.map(name => `${updateFields[name].label}: ${minutesText(definition[name])}`),
    `${label}: ${downloadChoices[definition.sendsDeltas ? 'yes' : 'no']}`,
  ].join('\n');
}
