import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';
import type { checkMessage } from '#contract/quarantine.ts';
import { checkAgainst } from './schemas.ts';
import type { ClassWithoutCounts } from './store.ts';

/** The errors that the gateway would find in a message of a device of this class. */
export function messageFaults(
  deviceClass: ClassWithoutCounts,
  { payload, ...message }: BodyOf<typeof checkMessage>,
): AnswerOf<typeof checkMessage> {
  const schema = schemaOf(deviceClass, message);
  if (schema === undefined) return { hasSchema: false, faults: [] };
  return { hasSchema: true, faults: checkAgainst(schema, payload) };
}

function schemaOf(
  { stateSchema, eventSchemas = {}, commandSchemas = {} }: ClassWithoutCounts,
  { kind, name = '' }: Omit<BodyOf<typeof checkMessage>, 'payload'>,
): unknown {
  if (kind === 'state') return stateSchema;
  const schemas = kind === 'event' ? eventSchemas : commandSchemas;
  return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}
