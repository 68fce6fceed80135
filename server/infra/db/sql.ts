import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { errorCode } from '#server/infra/errorCode.ts';
import { askWithin } from './askWithin.ts';
import { type ConnectionOptions, connectionTo } from './connect.ts';
import { type Ask, createRunner, isStalePlan, type Runner } from './runner.ts';
import { type Statement, statementNames, unnamed } from './statements.ts';
import { isTimeout } from './unavailable.ts';

export { default as sql, empty, join, raw, Sql } from 'sql-template-tag';
export { DatabaseUnavailable } from './unavailable.ts';

/** Queries the database, inside and outside a transaction. The caller knows the types of its columns. */
export interface Db {
  /** The first row, if any. */
  one<T>(query: Sql): Promise<T | undefined>;
  many<T>(query: Sql): Promise<T[]>;
  /** Returns the number of changed rows. */
  run(query: Sql): Promise<number>;
}

export interface Transaction extends Db {
  /**
   * Runs a statement right before the commit and sends both together. The transaction itself does not see its changes.
   */
  atCommit(query: Sql): void;
}

export interface Database extends Db {
  /**
   * Runs the work in a transaction, all or nothing. After a collision with another transaction it may run again, so it
   * must not touch anything but the database.
   */
  tx<T>(work: (db: Transaction) => Promise<T>): Promise<T>;
  /** `many`, planned for the given values: the best plan of a search depends on the text. */
  search<T>(query: Sql): Promise<T[]>;
  /** The same with a time limit; undefined if time ran out. */
  within<T>(ms: number, query: Sql): Promise<T[] | undefined>;
  /** For libraries that bring their own statements. */
  pool: pg.Pool;
  end(): Promise<void>;
}

const collisionsMax = 3;
const collisionPauseMaxMs = 40;

export function openDatabase(url: string, options: ConnectionOptions): Database {
  const { pool, connect, end } = connectionTo(url, options);
  const { pool: canceller } = connectionTo(url, { max: 1 });
  const named = statementNames();
  const { ask, transaction } = noted(createRunner(connect), options.pulse);

  async function tx<T>(work: (db: Transaction) => Promise<T>): Promise<T> {
    for (let collisions = 0; ; ) {
      try {
        return await transaction('begin', (ask, atCommit) =>
          work({ ...dbOver(ask, named), atCommit: query => atCommit(named(query)) }),
        );
      } catch (error) {
        if (isCollision(error)) collisions++;
        else if (!isStalePlan(error)) throw error;
        if (collisions > collisionsMax) throw error;
        // An immediate retry would collide again.
        await pause(Math.random() * collisionPauseMaxMs * collisions);
      }
    }
  }

  return {
    ...dbOver(ask, named),
    tx,
    search: async <T>(query: Sql) => (await ask(unnamed(query))).rows as T[],
    within: async <T>(ms: number, query: Sql) => {
      if (ms <= 0) return undefined;
      return askWithin({ connect, canceller }, ms, unnamed(query)).then(
        result => result.rows as T[],
        ifTimeIsUp,
      );
    },
    pool,
    end: async () => {
      await Promise.all([end(), canceller.end()]);
    },
  };
}

/** Tells the pulse about every error. */
function noted({ ask, transaction }: Runner, pulse: ConnectionOptions['pulse']): Runner {
  if (!pulse) return { ask, transaction };
  const note = (error: unknown) => {
    pulse.note(error);
    throw error;
  };
  return {
    ask: statement => ask(statement).catch(note),
    transaction: (begin, work) => transaction(begin, work).catch(note),
  };
}

function dbOver(ask: Ask, named: (query: Sql) => Statement): Db {
  return {
    one: async <T>(query: Sql) => (await ask(named(query))).rows[0] as T | undefined,
    many: async <T>(query: Sql) => (await ask(named(query))).rows as T[],
    run: async query => (await ask(named(query))).rowCount ?? 0,
  };
}

/** Turns a timeout into undefined. */
function ifTimeIsUp(error: unknown): undefined {
  if (!isTimeout(error)) throw error;
}

/** Serialization failure or deadlock: the transaction was rolled back completely, and a retry is likely to succeed. */
function isCollision(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}
