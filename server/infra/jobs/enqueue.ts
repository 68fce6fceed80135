import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * The payload of each job, by the name of the job. The slice that runs a job adds it:
 * `declare module './enqueue.ts' { interface Jobs { sendMail: { mailId: string } } }`.
 */
export interface Jobs {
  keepHouse: Record<string, never>;
}

interface When {
  /** At most one waiting job has this key: a later job replaces it. */
  key?: string;
  runAt?: Date;
  /** The jobs of one queue run one after the other, across all processes. */
  queue?: string;
  /** Number of attempts before the job is left for a person to look at; 25 attempts take over four days. */
  maxAttempts?: number;
}

/** Adds a job in the caller's transaction, so that it exists exactly if the data it is about is committed. */
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
