import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { type Database, DatabaseUnavailable, openDatabase, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { aWire, type Wire } from '#test/wire.ts';
import { unique } from '#test/world.ts';
import type { NewEntry } from './append.ts';
import { LogBatch } from './batch.ts';
import { logPartitions } from './partitions.ts';

let database: TestDatabase;
let wire: Wire;
let db: Database;
beforeAll(async () => {
  database = await testDatabase();
  await maintainPartitions(database.db, Object.values(logPartitions), new Date());
  wire = await aWire(database.url);
  db = openDatabase(wire.url, { max: 2 });
});
afterAll(async () => {
  await db.end();
  await wire.end();
  await database.end();
});

const platform = { newId: (prefix: 'log') => newId(prefix, Date.now()), log: () => undefined };
const aBatch = (over = db) => new LogBatch(over, platform as ConstructorParameters<typeof LogBatch>[1]);
const anEntry = (projectId: string, text: string): NewEntry => ({
  projectId,
  text,
  stream: 'system',
  ts: new Date(),
  level: 2,
  action: 'test',
  actor: { callerType: 'device', id: 'dev_1', displayName: 'Lamp' },
});

async function textsOf(projectId: string): Promise<string[]> {
  const rows = await database.db.many<{ text: string }>(
    sql`select text from log_entries where project_id = ${projectId} order by text`,
  );
  return rows.map(({ text }) => text);
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(5, '0'));
const killAll = () =>
  database.db.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'mooring'`);

describe('a batch of log entries', () => {
  it('is on disk when it is acknowledged, with many entries in few statements', async () => {
    const projectId = unique('prj');
    const batch = aBatch();
    await Promise.all(numbers(2000).map(text => batch.append(anEntry(projectId, text))));
    expect(await textsOf(projectId)).toEqual(numbers(2000));
    const statements = await database.db.one(
      sql`select count(distinct xmin::text)::int as count from log_entries where project_id = ${projectId}`,
    );
    expect(statements).toEqual({ count: 4 });
  });

  it('loses nothing while the connections to the database are killed again and again', async () => {
    const projectId = unique('prj');
    const batch = aBatch();
    const acknowledged: string[] = [];
    const appended = numbers(3000).map(text =>
      batch.append(anEntry(projectId, text)).then(() => acknowledged.push(text)),
    );
    for (let i = 0; i < 5; i++) await killAll();
    await Promise.all(appended);
    expect(acknowledged).toHaveLength(3000);
    expect(await textsOf(projectId)).toEqual(numbers(3000));
  });

  it('stores nothing twice if the answer to a successful write is lost', async () => {
    const projectId = unique('prj');
    let lost = 0;
    const forgetful: Database = {
      ...db,
      run: async query => {
        const written = await db.run(query);
        if (lost++ === 0) throw new DatabaseUnavailable('Connection terminated');
        return written;
      },
    };
    await Promise.all(numbers(10).map(text => aBatch(forgetful).append(anEntry(projectId, text))));
    expect(lost).toBeGreaterThan(1);
    expect(await textsOf(projectId)).toEqual(numbers(10));
  });

  it('waits for an unavailable database, and acknowledges nothing meanwhile', async () => {
    const projectId = unique('prj');
    const batch = aBatch();
    let acknowledged = 0;
    wire.cut();
    const appended = numbers(10).map(text =>
      batch.append(anEntry(projectId, text)).then(() => {
        acknowledged += 1;
      }),
    );
    await expect(db.one(sql`select 1 as ok`)).rejects.toThrow();
    expect(acknowledged).toBe(0);
    wire.mend();
    await batch.drain();
    await Promise.all(appended);
    expect(await textsOf(projectId)).toEqual(numbers(10));
  });

  it('with an entry that cannot be stored keeps the others, and rejects only that entry', async () => {
    const projectId = unique('prj');
    const batch = aBatch();
    const fate = await Promise.allSettled(
      ['a', 'b\0', 'c'].map(text => batch.append(anEntry(projectId, text))),
    );
    expect(fate.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await textsOf(projectId)).toEqual(['a', 'c']);
  });

  it('replaces half a surrogate pair, and keeps quotes and line breaks', async () => {
    const projectId = unique('prj');
    const batch = aBatch();
    await Promise.all(['a \ud83d', '"b"\n\\'].map(text => batch.append(anEntry(projectId, text))));
    expect(await textsOf(projectId)).toEqual(['"b"\n\\', 'a \ufffd']);
  });

  it('whose result is not awaited does not end the process if it fails', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const batch = aBatch();
      void batch.append(anEntry(unique('prj'), '\0'));
      await batch.drain();
      await new Promise(resolve => setImmediate(resolve));
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('rejects more entries than it can hold instead of filling up the memory', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<number>();
    const stuck = { run: () => held } as unknown as Database;
    const batch = aBatch(stuck);
    const fates = numbers(51_000).map(text => batch.append(anEntry('prj', text)));
    await expect(fates.at(-1)).rejects.toThrow('The log cannot be written.');
    letGo(1);
    const settled = await Promise.allSettled(fates);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1000);
  });
});
