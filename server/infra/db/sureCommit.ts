import { type Database, DatabaseUnavailable, sql, type Transaction } from './sql.ts';

interface Attempt<Result> {
  transaction: string;
  result: Result;
}

/**
 * Runs transactions that must not be repeated once they are committed. When the connection is lost while a commit is
 * answered, nobody knows whether it happened: before the same work runs again, the database is asked.
 */
export class SureCommit<Result> {
  readonly #db: Database;
  readonly #unanswered = new WeakMap<object, Attempt<Result>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * `of` identifies the work in a later attempt. `work` returns its result with the number of its transaction,
   * `pg_current_xact_id()`; undefined if it wrote nothing that may not be repeated.
   */
  async tx(
    of: object,
    work: (db: Transaction) => Promise<{ result: Result; transaction: string | undefined }>,
  ): Promise<Result> {
    const earlier = this.#unanswered.get(of);
    if (earlier && (await this.#isCommitted(earlier.transaction))) return earlier.result;
    const { result } = await this.#db.tx(async db => {
      const done = await work(db);
      if (done.transaction === undefined) this.#unanswered.delete(of);
      else this.#unanswered.set(of, { transaction: done.transaction, result: done.result });
      return done;
    });
    this.#unanswered.delete(of);
    return result;
  }

  async #isCommitted(transaction: string): Promise<boolean> {
    const row = await this.#db.one<{ status: string | null }>(
      sql`select pg_xact_status(${transaction}::xid8) as status`,
    );
    // The server has not noticed yet that the connection is gone.
    if (row?.status === 'in progress') throw new DatabaseUnavailable();
    return row?.status === 'committed';
  }
}
