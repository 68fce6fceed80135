import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { settledFrom } from './settled.ts';
import { type Db, sql } from './sql.ts';

const xid = sql`select pg_current_xact_id()::text as tx`;

it('a reader never moves back while transactions of another database begin and end', async () => {
  const [ours, theirs] = [await testDatabase(), await testDatabase({ max: 9 })];
  onTestFinished(() => Promise.all([ours.end(), theirs.end()]).then(() => undefined));
  const wentBack: string[] = [];
  await theirs.db.tx(async open => {
    // Keeps the oldest transaction open, so that every read depends on the check of its database.
    await open.run(xid);
    let isDone = false;
    const shortOnes = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isDone)
          await theirs.db.tx(async short => {
            await short.run(xid);
            await short.run(sql`select pg_sleep(0.002)`);
          });
      }),
    );
    let known = await from(ours.db, 0n);
    for (let look = 0; look < 1_500; look++) {
      const next = await from(ours.db, known);
      if (next < known) wentBack.push(`${known} to ${next}`);
      known = next;
    }
    isDone = true;
    await shortOnes;
  });
  expect(wentBack).toEqual([]);
});

async function from(db: Db, known: bigint): Promise<bigint> {
  const row = await db.one<{ tx: string }>(sql`
    select ${settledFrom(sql`${known.toString()}::text::xid8`)}::text as tx`);
  return BigInt(row?.tx ?? 0);
}
