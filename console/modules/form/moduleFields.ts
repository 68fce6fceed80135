import { choicesOf, type Json, type Schema, titleOf } from '#console/modules/config/configSchema.ts';
import type { Words } from '#console/ui/code/differences.ts';
import type { ModuleValues } from './moduleValues.ts';

/**
 * The values of a module with each setting of its configuration as a field of its own, so that two people who edit
 * different settings do not overwrite each other.
 */
export type ModuleFields = Omit<ModuleValues, 'configData'> & { [setting: `configData.${string}`]: unknown };

const prefix = 'configData.';

export function toFields({ configData, ...others }: ModuleValues, schema: Schema): ModuleFields {
  const names = Object.keys(schema.properties ?? {});
  return { ...others, ...Object.fromEntries(names.map(name => [`${prefix}${name}`, configData[name]])) };
}

export function fromFields(fields: ModuleFields): ModuleValues {
  const { description, subscribedEvents, deviceClasses, bulkDataLabel, dataSourceModules } = fields;
  const configData: Json = {};
  for (const [name, value] of Object.entries(fields))
    if (name.startsWith(prefix) && value !== undefined) configData[name.slice(prefix.length)] = value;
  return { description, subscribedEvents, deviceClasses, bulkDataLabel, dataSourceModules, configData };
}

/** The name of each field; a setting has the name that the form of its type gives it. */
export function wordsOf(schema: Schema): Words<ModuleFields> {
  const settings = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    `${prefix}${name}`,
    { label: titleOf(property, name), say: (value: unknown) => settingText(property, value) },
  ]);
  return {
    description: 'Description',
    subscribedEvents: 'Subscribed events',
    deviceClasses: 'Device classes',
    bulkDataLabel: 'Data label',
    dataSourceModules: 'Data sources',
    ...Object.fromEntries(settings),
  };
}

function settingText(property: Schema, value: unknown): string {
  const choice = choicesOf(property)?.find(one => one.value === value);
  if (choice) return choice.label;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not set');
}
