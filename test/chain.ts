import { beforeEach } from 'vitest';
import { type LogVerification, verifyLogEntries } from '#contract/log.ts';
import { sealBatch } from '#server/api/logs/auditChain/seal.ts';
import { openDatabase, type Sql, sql } from '#server/infra/db/sql.ts';
import { writeEntries } from './entries.ts';
import { forTheFile, ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';

/** A project whose audit log is a hash chain, with methods to seal, verify and tamper with it. */
export class Chain extends ProjectWorld {
  verify(head?: string): Promise<LogVerification> {
    const query = head ? { head } : {};
    return this.owner.client.call(verifyLogEntries, { params: { projectId: this.projectId }, query });
  }

  /** The verification after the sealer has run. */
  verified(): Promise<LogVerification> {
    return until(async () => {
      const found = await this.verify();
      return found.entriesNotYetSealed === 0 ? found : undefined;
    });
  }

  /** Adds five sealed entries after the one about the project's creation. */
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

  /** Seals the current entries, even if another sealer is running. */
  async seal(): Promise<void> {
    await until(async () => {
      const { busy, more } = await sealBatch(this.world.platform.db);
      return busy || more ? undefined : true;
    });
  }

  /** Keeps all sealers from running during `work`, by holding their lock. */
  async unsealed(work: () => Promise<void>): Promise<void> {
    const other = openDatabase(this.world.platform.config.databaseUrl ?? '', { max: 1 });
    await other.tx(async tx => {
      await tx.one(sql`select pg_advisory_xact_lock(7264002)`);
      await work();
    });
    await other.end();
  }

  /** Changes rows as somebody with access to the database would. */
  tamper(query: Sql): Promise<number> {
    return this.world.platform.db.run(query);
  }
}

/** For the tests of a file: each test gets its own log. */
export function aChain(): Chain {
  const at = forTheFile(new Chain(), {});
  beforeEach(async () => {
    at.projectId = (await at.world.aProject(at.owner)).id;
  });
  return at;
}
