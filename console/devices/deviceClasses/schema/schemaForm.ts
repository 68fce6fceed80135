import { isSchemaPart, propertiesOf } from '#console/devices/schema/schemaProperties.ts';
import type { DeviceClass } from '#contract/deviceClass.ts';
import type { ReportedProperties } from '#contract/deviceState.ts';
import { numberText } from '#rules/text/numberText.ts';

export type SchemaField = 'stateSchema' | 'eventSchemas' | 'commandSchemas';

export interface SchemaKind {
  /** As used in the address. */
  id: 'state' | 'events' | 'commands';
  /** "State" */
  name: string;
  field: SchemaField;
  title: string;
  /** One sentence about its purpose. */
  says: string;
  hint: string;
  example: unknown;
}

const number = { type: 'number' };

/** The schemas of a class: state, events and commands. */
export const schemaKinds: readonly SchemaKind[] = [
  {
    id: 'state',
    name: 'State',
    field: 'stateSchema',
    title: 'State schema',
    says: 'Without a schema, devices can report anything. With one, a report that violates it is quarantined instead of applied, and the console knows which properties to expect.',
    hint: 'A JSON Schema (2020-12) of the whole reported state. `title` and `unit` are shown wherever its values are.',
    example: {
      type: 'object',
      properties: {
        temperature: { ...number, unit: '°C', minimum: -40, maximum: 125, title: 'Room temperature' },
        target: { ...number, unit: '°C' },
        mode: { enum: ['off', 'heat', 'cool'] },
      },
    },
  },
  {
    id: 'events',
    name: 'Events',
    field: 'eventSchemas',
    title: 'Event schemas',
    says: 'The payload of each event, by name. Events without a schema can carry anything.',
    hint: 'An object that maps names to JSON Schemas.',
    example: {
      door: { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } },
    },
  },
  {
    id: 'commands',
    name: 'Commands',
    field: 'commandSchemas',
    title: 'Command schemas',
    says: 'The arguments of each command, by name. The names are suggested when you send a command.',
    hint: 'An object that maps names to JSON Schemas.',
    example: {
      blink: {
        type: 'object',
        properties: { seconds: { type: 'integer', unit: 's', minimum: 1, maximum: 60 } },
      },
    },
  },
];

export function schemaOf(deviceClass: DeviceClass, field: SchemaField): unknown {
  return deviceClass[field];
}

/** The number of properties of the state, or of messages. */
export function schemaCount({ id }: SchemaKind, schema: unknown): number {
  if (!isSchemaPart(schema)) return 0;
  return id === 'state' ? propertiesOf(schema).length : Object.keys(schema).length;
}

/** Which devices' reports were sampled. */
export function sampleText({ devices, sampled }: ReportedProperties): string {
  if (devices === 0) return 'no device has reported yet';
  if (sampled) return `reported by the ${numberText(devices)} most recently connected devices`;
  return devices === 1 ? '1 device reports' : `${devices} devices report`;
}
