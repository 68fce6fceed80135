import { beforeEach } from 'vitest';
import { type LogVerification, verifyLogEntries } from '#contract/log.ts';
import { openDatabase, type Sql, sql } from '#server/db/sql.ts';
import { sealBatch } from '#server/logs/seal.ts';
import { writeEntries } from './entries.ts';
import { forTheFile, ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';

/** A project whose log is chained, and what is done with the chain and to it. */
export class Chain extends ProjectWorld {
  verify(head?: string): Promise<LogVerification> {
    const query = head ? { head } : {};
    return this.owner.client.call(verifyLogEntries, { params: { projectId: this.projectId }, query });
  }

  /** After the sealer has come by. */
  verified(): Promise<LogVerification> {
    return until(async () => {
      const found = await this.verify();
      return found.entriesNotYetSealed === 0 ? found : undefined;
    });
  }

  /** Sealed, after the one that tells of the project's beginning. */
  async fiveEntries(): Promise<void> {
    const { platform } = this.world;
    const entries = Array.from({ length: 5 }, (_, i) => ({
      ts: new Date(this.world.now().getTime() + i),
      text: `entry ${i}`,
      detail: { after: { n: i } },
    }));
    await writeEntries(platform, this.projectId, entries);
    await this.seal();
  }

  /** Seals what is there now, whoever else is at it. */
  async seal(): Promise<void> {
    await until(async () => {
      const { busy, more } = await sealBatch(this.world.platform.db);
      return busy || more ? undefined : true;
    });
  }

  /** Keeps every sealer away meanwhile, by holding their lock. */
  async unsealed(work: () => Promise<void>): Promise<void> {
    const other = openDatabase(this.world.platform.config.databaseUrl ?? '', { max: 1 });
    await other.tx(async tx => {
      await tx.one(sql`select pg_advisory_xact_lock(7264002)`);
      await work();
    });
    await other.end();
  }

  /** As somebody would who has the database. */
  tamper(query: Sql): Promise<number> {
    return this.world.platform.db.run(query);
  }
}

/** For the tests of a file: a log of its own for each of them. */
export function aChain(): Chain {
  const at = forTheFile(new Chain(), {});
  beforeEach(async () => {
    at.projectId = (await at.world.aProject(at.owner)).id;
  });
  return at;
}
