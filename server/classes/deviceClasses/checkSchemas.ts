import { setImmediate as others } from 'node:timers/promises';
import type { editDeviceClass } from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { escaped, SchemaMistake } from './schemas/schemaTree.ts';
import { checkSchema } from './schemas.ts';

/** Limit for all schemas of one kind, because a class is always read as a whole. */
const bytesMax = 256 * 1024;

/**
 * Validates schemas, reporting the position of each error in the body. Yields between schemas, because each
 * takes time.
 */
export async function checkSchemas({ body }: { body: BodyOf<typeof editDeviceClass> }): Promise<void> {
  const { stateSchema, eventSchemas, commandSchemas } = body;
  if (stateSchema !== undefined && stateSchema !== null) checkSchemaAt(stateSchema, '/stateSchema');
  for (const [field, schemas] of Object.entries({ eventSchemas, commandSchemas })) {
    if (!schemas) continue;
    if (Buffer.byteLength(JSON.stringify(schemas)) > bytesMax)
      throw invalid(`/${field}`, `All schemas together can have at most ${bytesMax / 1024} KiB.`);
    for (const [name, schema] of Object.entries(schemas)) {
      await others();
      checkSchemaAt(schema, `/${field}/${escaped(name)}`);
    }
  }
}

/** `place`: where the schema is in the body. */
export function checkSchemaAt(schema: unknown, place: string): void {
  try {
    checkSchema(schema);
  } catch (error) {
    if (!(error instanceof SchemaMistake)) throw error;
    throw invalid(`${place}${error.at}`, error.message);
  }
}

function invalid(at: string, text: string): Problem {
  return new Problem('INVALID_SCHEMA', { context: { at, text } });
}
