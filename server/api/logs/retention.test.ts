import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { sql } from '#server/infra/db/sql.ts';
import { writeEntries } from '#test/entries.ts';
import { until } from '#test/until.ts';
import { aWorld, type World } from '#test/world.ts';
import { sealBatch } from './auditChain/seal.ts';
import { verifyLog } from './auditChain/verify.ts';
import { logPartitions } from './partitions.ts';
import { pruneAuditLogs } from './prune.ts';

const projectId = 'prj_old';

let world: World;
/** What is written now has expired by then; what is young has not. */
let inAYear: Date;
let young: Date;
beforeEach(async () => {
  world = await aWorld();
  inAYear = new Date(world.now().getTime() + 400 * dayMs);
  young = new Date(inAYear.getTime() - minuteMs);
  await maintainPartitions(world.platform.db, Object.values(logPartitions), inAYear);
});
afterEach(() => world.end());

/** Each is sealed before the next is written. */
async function write(...entries: { ts?: Date; text: string }[]): Promise<void> {
  for (const entry of entries) {
    await writeEntries(world.platform, projectId, [entry]);
    await until(async () => ((await sealBatch(world.platform.db)).busy ? undefined : true));
  }
}

const verify = (head?: string) => verifyLog(world.platform, projectId, inAYear, head);
const prune = () => pruneAuditLogs({ ...world.platform, clock: () => inAYear });
const tamper = (query: ReturnType<typeof sql>) => world.platform.db.run(query);
/** Removes entries as somebody with access to the database would, and makes them look as old as expired ones. */
async function cut(texts: string[]): Promise<void> {
  await tamper(sql`
    with gone as (
      delete from log_entries where project_id = ${projectId} and text = any(${texts}) returning id)
    update audit_seals set entry_ts = entry_ts - interval '3 years'
    where project_id = ${projectId} and entry_id in (select id from gone)`);
}

it('expired entries are deleted with their seals, and the chain continues from there', async () => {
  await write({ text: 'a' }, { text: 'b' }, { text: 'c' });
  const { headHash } = await verify();
  await write({ ts: young, text: 'young' });
  await prune();
  const { db } = world.platform;
  const left = await db.many<{ seq: string; hash: Buffer }>(
    sql`select seq, hash from audit_seals where project_id = ${projectId} order by seq`,
  );
  expect(left.map(({ seq }) => seq)).toEqual(['3', '4']);
  expect(left[0]?.hash.toString('hex')).toBe(headHash);
  const found = await verify(headHash);
  expect(found).toMatchObject({ intact: true, entriesChecked: 1, firstEntryAt: young.toISOString() });
  await tamper(sql`delete from log_entries where project_id = ${projectId} and text = 'young'`);
  expect((await verify()).intact).toBe(false);
});

it('an entry that was sealed late expires with its month, and the entries before it stay verified', async () => {
  await write({ text: 'a' }, { ts: young, text: 'young' }, { text: 'late' }, { ts: young, text: 'younger' });
  await prune();
  expect(await verify()).toMatchObject({ intact: true, entriesChecked: 2 });
  await tamper(sql`delete from log_entries where project_id = ${projectId} and text = 'young'`);
  expect((await verify()).fault?.text).toBe('This entry was removed after it was sealed.');
});

it('entries that were removed and made to look expired are missed, although the head is right', async () => {
  await write(...['a', 'b', 'c', 'd'].map(text => ({ ts: young, text })));
  const { headHash } = await verify();
  await cut(['a', 'b', 'c']);
  expect((await verify(headHash)).fault?.text).toBe('This entry was removed after it was sealed.');
});

it('a removed entry is still missed after others have expired', async () => {
  await write({ text: 'a' }, ...['b', 'c', 'd'].map(text => ({ ts: young, text })));
  await cut(['c']);
  await prune();
  await prune();
  expect((await verify()).intact).toBe(false);
});

it('a record of expired entries that was changed is detected, and one that covers removed seals as well', async () => {
  await write({ text: 'a' }, { ts: young, text: 'b' }, { ts: young, text: 'c' });
  await prune();
  await tamper(sql`
    update audit_markers m set seq = s.seq, hash = s.hash from audit_seals s
    where m.project_id = ${projectId} and s.project_id = ${projectId} and s.seq = 2`);
  await cut(['b']);
  expect((await verify()).fault?.text).toBe('The record of which entries have expired was changed.');
  await tamper(sql`delete from audit_markers where project_id = ${projectId}`);
  expect((await verify()).intact).toBe(false);
});

it('the removal of a whole log is detected once any of its entries have expired', async () => {
  await write({ text: 'a' }, { ts: young, text: 'b' });
  await prune();
  await tamper(sql`delete from audit_seals where project_id = ${projectId}`);
  await tamper(sql`delete from log_entries where project_id = ${projectId}`);
  expect((await verify()).fault?.text).toBe('The seals of this log were removed.');
});
