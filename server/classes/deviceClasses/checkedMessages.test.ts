import { expect, it } from 'vitest';
import { notYet } from '#server/infra/db/groupCommit.ts';
import { CheckedMessages, type DeviceMessage, type Outcome } from './checkedMessages.ts';
import { checkAgainst } from './schemas.ts';

const costly = { items: { anyOf: [{ type: 'object' }, { type: 'array' }, { type: 'number' }] } };
const numbers = Array.from({ length: 60_000 }, () => 1);
const message = (id: string, projectId: string, value: unknown): DeviceMessage => ({
  id: `evt_${id}`,
  frame: { value, text: JSON.stringify(value) },
  ts: new Date(0),
  device: { id: `dev_${projectId}`, projectId, deviceClass: 'c' },
});

/** Stores messages in memory; `told` records the order of events. */
function aKeeper(schema: unknown) {
  const batches: string[][] = [];
  const told: string[] = [];
  const checking = {
    schemas: { of: async () => () => ({}) },
    quarantine: {
      store: async (_: unknown, rows: { id: string }[]) => told.push(...rows.map(({ id }) => `kept ${id}`)),
    },
    liveEvents: { quarantined: ({ id }: { id: string }) => told.push(`told ${id}`) },
  } as unknown as ConstructorParameters<typeof CheckedMessages>[1];
  const platform = { db: {} } as ConstructorParameters<typeof CheckedMessages>[0];
  const messages = new CheckedMessages<DeviceMessage>(platform, checking, {
    kind: 'event',
    itemsMax: 100,
    schemaOf: () => schema,
    store: async (batch, begin) => {
      const check = begin();
      const outcomes = batch.map(
        (one): Outcome =>
          check.isOver(one) ? notYet : check.refusalOf(one, () => checkAgainst(schema, one.frame.value)),
      );
      await check.storeBroken(platform.db);
      batches.push(batch.filter((_, at) => outcomes[at] === undefined).map(({ id }) => id));
      return { outcomes, broken: check.broken };
    },
  });
  return { messages, batches, told };
}

it('a message that violates its schema is refused with its errors, and announced once it is quarantined', async () => {
  const { messages, told } = aKeeper({ type: 'number' });
  const fates = await Promise.all([1, 'x'].map((value, at) => messages.take(message(`${at}`, 'prj', value))));
  expect(fates).toEqual([
    undefined,
    {
      reason: 'SCHEMA_BROKEN',
      message: expect.any(String),
      faults: [{ at: '', text: 'The message must be a number.' }],
    },
  ]);
  expect(told).toEqual(['kept qrt_1', 'told qrt_1']);
});

it('a project that used up its time continues in the next batch, in order, and delays no other', async () => {
  const { messages, batches } = aKeeper(costly);
  const ids = Array.from({ length: 80 }, (_, at) => `evt_${at}`);
  const all = ids.map((_, at) => messages.take(message(`${at}`, 'prj_a', numbers)));
  await Promise.all([...all, messages.take(message('b', 'prj_b', numbers))]);
  expect(batches.length).toBeGreaterThan(1);
  expect(batches[0]).toContain('evt_b');
  expect(batches.flat().filter(id => id !== 'evt_b')).toEqual(ids);
});
