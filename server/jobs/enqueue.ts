import { type Db, sql } from '#server/db/sql.ts';

/**
 * What each job is given, by the name it is known by. The slice that does a job adds it:
 * `declare module '#server/jobs/enqueue.ts' { interface Jobs { sendMail: { mailId: string } } }`.
 */
export interface Jobs {
  keepHouse: Record<string, never>;
}

interface When {
  /** At most one waiting job has this key: a later one takes its place. */
  key?: string;
  runAt?: Date;
  /** Jobs of one queue are done one after the other, in all processes. */
  queue?: string;
  /** How often it is tried before it is left for a person; 25 tries reach over four days. */
  maxAttempts?: number;
}

/** Adds a job in the caller's transaction: it is there exactly when what it is about is there. */
export async function enqueue<Name extends keyof Jobs>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { key, runAt, maxAttempts, queue }: When = {},
): Promise<void> {
  await db.run(sql`
    select from graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null}::text, run_at => ${runAt ?? null}::timestamptz,
      max_attempts => ${maxAttempts ?? null}::integer, job_key => ${key ?? null}::text)`);
}
