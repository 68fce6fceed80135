import { sealBatch } from '#server/api/logs/auditChain/seal.ts';
import { blockSize, writeBlocks } from '#server/api/logs/blocks.ts';
import { Grams } from '#server/api/logs/grams.ts';
import { type Database, raw, sql } from '#server/infra/db/sql.ts';

/** How many times larger the larger log is. */
export const times = 10;
const days = 345;

/** The log of the smaller project: entries as written by edits of devices, spread evenly over a year. */
export async function seedSmall(db: Database, projectId: string, entries: number): Promise<void> {
  await db.run(sql`
    with kept as (
    insert into log_entries (project_id, stream, ts, id, level, actor, action, text, detail)
    select ${projectId}, 'audit', ts, ${idAt(sql`i::text`)}, case when i % 97 = 0 then 1 else 2 end,
      jsonb_build_object('callerType', 'developer', 'id', 'dvl_01k9x0000' || lpad((i % 40)::text, 17, '0'),
        'displayName', 'Developer ' || i % 40),
      (array['editProject', 'editDevice', 'createDevice', 'editChannel', 'deleteDevice', 'editKeyValue'])[1 + i % 6],
      'Device dev-' || substr(md5((i % 50000)::text), 1, 8) || ' of class thermostat changed',
      jsonb_build_object(
        'before', jsonb_build_object('channel', 'stable', 'description', substr(md5('b' || i), 1, 10)),
        'after', jsonb_build_object('channel', 'beta', 'description', substr(md5('a' || i), 1, 10)),
        'address', '203.0.113.' || i % 250, 'requestId', 'req_' || substr(md5('r' || i), 1, 26))
    from (
      select i, date_trunc('milliseconds', now() - make_interval(secs => (${entries} - i) * ${days} * 86400.0 / ${entries})) as ts
      from generate_series(1, ${entries}::int) i) as moments
    returning project_id, ts, id)
    insert into audit_unsealed (project_id, ts, id) select * from kept`);
}

/** Seals the log as the platform does; returns how long the seals and the blocks took. */
export async function seal(db: Database, projectId: string): Promise<{ sealMs: number; blocksMs: number }> {
  const startedAt = performance.now();
  while ((await sealBatch(db)).more);
  const sealedAt = performance.now();
  await writeBlocks(db, projectId);
  return { sealMs: sealedAt - startedAt, blocksMs: performance.now() - sealedAt };
}

/** The larger log: ten copies of the smaller one in sequence, each compressed to a tenth of the time. */
export async function seedLarge(db: Database, small: string, large: string, entries: number): Promise<void> {
  const shifted = (
    part: number,
    ts: string,
  ) => sql`date_trunc('milliseconds', now() - make_interval(days => ${days})
    + ${part} * make_interval(secs => ${(days * 86_400) / times})
    + (${raw(ts)} - (now() - make_interval(days => ${days}))) / ${times})`;
  for (let part = 0; part < times; part++) {
    await db.run(sql`
      insert into log_entries (project_id, stream, ts, id, level, actor, action, text, detail)
      select ${large}, 'audit', ts, ${idAt(sql`id || ${String(part)}`)}, level, actor, action, text, detail
      from (
        select ${shifted(part, 'ts')} as ts, id, level, actor, action, text, detail
        from log_entries where project_id = ${small} and stream = 'audit' and action <> 'createProject') as moments`);
  }
  // Rebuilt at the end, as after a restore, because filling it row by row would take longer than everything else.
  const [index] = await db.many<{ definition: string }>(
    sql`select pg_get_indexdef('audit_blocks_grams'::regclass) as definition`,
  );
  await db.run(sql`drop index audit_blocks_grams`);
  for (let part = 0; part < times; part++) {
    await db.run(sql`
      insert into audit_blocks (project_id, block, from_ts, to_ts, grams)
      select ${large}, block + ${(part * entries) / blockSize}, ${shifted(part, 'from_ts')} - interval '2 ms',
        ${shifted(part, 'to_ts')} + interval '2 ms', grams || ${new Grams(large).toArray()}::smallint[]
      from audit_blocks where project_id = ${small}`);
  }
  await db.run(sql`${raw(index?.definition ?? '')}`);
}

/** A TypeID created at `ts`: ten digits from its milliseconds, and a hash for the rest. */
function idAt(seed: ReturnType<typeof sql>) {
  const digit = (place: number) => sql`substr('0123456789abcdefghjkmnpqrstvwxyz',
    (((extract(epoch from ts) * 1000)::bigint >> ${raw(String(5 * place))}) & 31)::int + 1, 1)`;
  const digits = Array.from({ length: 10 }, (_, i) => digit(9 - i));
  const text = digits.reduce((all, one) => sql`${all} || ${one}`);
  return sql`'log_' || ${text} || substr(md5(${seed}), 1, 16)`;
}
