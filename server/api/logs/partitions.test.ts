import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#rules/time/durations.ts';
import { findExpired, maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { appendEntry, type Stream } from './append.ts';
import { logPartitions } from './partitions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.end());

const start = new Date('2027-01-31T23:59:59Z');
const daysOn = (days: number) => new Date(start.getTime() + days * dayMs);

const platform = { newId: (prefix: 'log') => newId(prefix, Date.now()) } as Parameters<typeof appendEntry>[1];
const append = (stream: Stream, ts: Date) =>
  appendEntry(database.db, platform, {
    projectId: 'prj_1',
    stream,
    ts,
    level: 2,
    action: 'test',
    text: ts.toISOString(),
    actor: { callerType: 'device', id: 'dev_1', displayName: 'Lamp' },
  });
async function kept(stream: Stream): Promise<string[]> {
  const rows = await database.db.many<{ text: string }>(
    sql`select text from log_entries where stream = ${stream} order by ts`,
  );
  return rows.map(({ text }) => text);
}

describe('the months of the log', () => {
  it('are created before they begin, with a reserve for a missed hour', async () => {
    await maintainPartitions(database.db, Object.values(logPartitions), start);
    for (const days of [-30, 0, 1, 28, 58]) await append('http', daysOn(days));
    expect(await kept('http')).toHaveLength(5);
    await expect(append('http', daysOn(100))).rejects.toThrow('no partition');
  });

  it('are created by several servers at once without an error', async () => {
    const all = Array.from({ length: 5 }, () =>
      maintainPartitions(database.db, Object.values(logPartitions), daysOn(120)),
    );
    await Promise.all(all);
    await append('http', daysOn(120));
  });

  it('are dropped once their last entry has expired and not a day earlier; the audit log, which its slice drops, after a year', async () => {
    const fresh = await testDatabase();
    const old = database;
    database = fresh;
    try {
      const now = new Date('2027-03-15T12:00:00Z');
      await maintainPartitions(fresh.db, Object.values(logPartitions), new Date('2027-02-15T12:00:00Z'));
      await append('system', new Date('2027-02-01T00:00:00Z'));
      await append('audit', new Date('2027-02-01T00:00:00Z'));
      await append('system', now);
      await maintainPartitions(fresh.db, Object.values(logPartitions), now);
      expect(await kept('system')).toHaveLength(2);
      await maintainPartitions(fresh.db, Object.values(logPartitions), new Date('2027-03-30T23:00:00Z'));
      expect(await kept('system')).toHaveLength(2);
      await maintainPartitions(fresh.db, Object.values(logPartitions), new Date('2027-03-31T01:00:00Z'));
      expect(await kept('system')).toEqual([now.toISOString()]);
      const { audit } = logPartitions;
      expect(await findExpired(fresh.db, audit, new Date('2028-02-28T12:00:00Z'))).not.toContain(
        'log_entries_audit_202702',
      );
      expect(await findExpired(fresh.db, audit, new Date('2028-03-01T12:00:00Z'))).toContain(
        'log_entries_audit_202702',
      );
    } finally {
      database = old;
      await fresh.end();
    }
  });
});
