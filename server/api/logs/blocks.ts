import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import { Grams, wantedGrams } from './grams.ts';
import { entryNamed, type Sought } from './store.ts';

/** Seals per block. Fewer would mean more blocks to search; more would make every block match. */
export const blockSize = 256;

/** A time range whose entries may match. */
export interface Span {
  from: Date;
  to: Date;
}

interface Block {
  block: number;
  from: Date;
  to: Date;
}

/** Writes the full blocks of a log. Idempotent. */
export async function writeBlocks(db: Db, projectId: string): Promise<void> {
  for (;;) {
    const next = await nextBlock(db, projectId);
    if (next === undefined) return;
    await writeBlock(db, projectId, next);
  }
}

/** Seals are numbered from 1, blocks from 0. */
async function nextBlock(db: Db, projectId: string): Promise<number | undefined> {
  const row = await db.one<{ next: string; full: string }>(sql`
    select coalesce((select max(block) + 1 from audit_blocks where project_id = ${projectId}), 0) as next,
      coalesce((select max(seq) from audit_seals where project_id = ${projectId}), 0) / ${blockSize} as full`);
  return row && Number(row.next) < Number(row.full) ? Number(row.next) : undefined;
}

async function writeBlock(db: Db, projectId: string, block: number): Promise<void> {
  const rows = await db.many<{ ts: Date; words: string; actor: string; action: string; level: number }>(sql`
    select s.entry_ts as ts, lower(e.text || chr(10) || coalesce(e.detail::text, '')) as words,
      e.actor ->> 'id' as actor, e.action, e.level
    from audit_seals s
    join ${entryNamed(sql`s.project_id`, sql`s.entry_ts`, sql`s.entry_id`)} on true
    where s.project_id = ${projectId} and s.seq > ${block * blockSize} and s.seq <= ${(block + 1) * blockSize}`);
  const grams = new Grams(projectId);
  for (const { words, ...facts } of rows) grams.add(words, facts);
  const times = rows.map(({ ts }) => ts.getTime());
  // Expired blocks still count, because the next block is found by the last number.
  const [from, to] = rows.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)];
  await db.run(sql`
    insert into audit_blocks (project_id, block, from_ts, to_ts, grams)
    values (${projectId}, ${block}, ${new Date(from)}, ${new Date(to)}, ${grams.toArray()}::smallint[])
    on conflict do nothing`);
}

/**
 * The time from which entries may be outside any block and must be scanned. Undefined: there are no blocks.
 * Planned for the actual values, because for a parameter the planner assumes a third of all seals.
 */
export async function unblockedFrom(db: Database, projectId: string): Promise<Date | undefined> {
  const last = await db.one<{ block: string | null }>(
    sql`select max(block) as block from audit_blocks where project_id = ${projectId}`,
  );
  if (!last || last.block === null) return undefined;
  const [oldest] = await db.search<{ sealed: Date | null; unsealed: Date | null }>(sql`
    select
      (select min(entry_ts) from audit_seals
        where project_id = ${projectId} and seq > ${(Number(last.block) + 1) * blockSize}) as sealed,
      (select min(ts) from audit_unsealed where project_id = ${projectId}) as unsealed`);
  const times = [oldest?.sealed, oldest?.unsealed].map(time => time?.getTime() ?? Number.POSITIVE_INFINITY);
  return new Date(Math.min(...times, Number.MAX_SAFE_INTEGER / 2));
}

/** The slots that narrow down a search; undefined if the filter does not narrow it. */
export async function wantedOf(db: Db, sought: Sought): Promise<string | undefined> {
  const { projectId, text, actor, action, level } = sought;
  const row =
    text === undefined ? undefined : await db.one<{ words: string }>(sql`select lower(${text}) as words`);
  return wantedGrams(projectId, row?.words, { actor, action, level });
}

/**
 * The time ranges between two times that may contain matches, newest first, disjoint and merged. The planner
 * underestimates the cost of reading a block (25 kB, stored out of line), so the query forces the index.
 */
export async function spansBetween(
  db: Database,
  projectId: string,
  wanted: string,
  { from, to }: Span,
): Promise<Span[]> {
  const blocks = await db.tx(async tx => {
    await tx.run(sql`set local enable_seqscan = off`);
    return tx.many<{ block: string; from: Date; to: Date }>(sql`
      with candidates as materialized (
        select project_id, block, from_ts, to_ts from audit_blocks where grams @> ${wanted}::smallint[])
      select block, from_ts as "from", to_ts as "to" from candidates
      where project_id = ${projectId} and from_ts <= ${to} and to_ts >= ${from}
      order by to_ts desc, block desc`);
  });
  return joined(blocks.map(one => ({ ...one, block: Number(one.block) })));
}

/** Adjacent blocks are read together. */
function joined(blocks: Block[]): Span[] {
  const spans: Block[] = [];
  for (const block of blocks) {
    const span = spans.at(-1);
    const follows = span && (block.to >= span.from || block.block === span.block - 1);
    if (!follows) {
      spans.push({ ...block });
      continue;
    }
    span.block = Math.min(span.block, block.block);
    if (block.from < span.from) span.from = block.from;
  }
  return spans;
}
