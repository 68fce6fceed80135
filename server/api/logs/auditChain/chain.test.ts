import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { pathOf } from '#contract/client.ts';
import { exportLogEntries, type LogEntry, readLogEntries } from '#contract/log.ts';
import { editProject } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { appendEntries, appendEntry } from '#server/api/logs/append.ts';
import { personOfAddress } from '#server/api/logs/entryNames.ts';
import { eraseNames } from '#server/api/logs/eraseNames.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aChain } from '#test/chain.ts';
import { writeEntries } from '#test/entries.ts';
import { canonicalJson, noHash } from './hash.ts';
import { sealBatch } from './seal.ts';
import { verifyLog } from './verify.ts';

const at = aChain();

describe('the chain', () => {
  it('contains an entry moments after it was written, without any request', async () => {
    await at.owner.client.call(editProject, {
      params: { projectId: at.projectId },
      body: { name: 'Renamed' },
    });
    const found = await at.verified();
    expect(found).toMatchObject({ intact: true, entriesChecked: 2, entriesNotYetSealed: 0 });
    expect(found.headHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('can be verified using only the entries that the API returns', async () => {
    await at.fiveEntries();
    const query = {
      begin: new Date(at.world.now().getTime() - dayMs).toISOString(),
      end: new Date(at.world.now().getTime() + dayMs).toISOString(),
    };
    const entries: LogEntry[] = await at.owner.client.call(readLogEntries, {
      params: { projectId: at.projectId },
      query,
    });
    const head = entries.toReversed().reduce(
      (before, entry) =>
        createHash('sha256')
          .update(before)
          .update(canonicalJson({ ...entry, projectId: at.projectId }))
          .digest(),
      noHash,
    );
    expect((await at.verified()).headHash).toBe(head.toString('hex'));
  });

  it('can be verified using only an export, also after a name was erased', async () => {
    const { platform } = at.world;
    const { projectId } = at;
    await appendEntry(platform.db, platform, {
      projectId,
      stream: 'audit',
      ts: at.world.now(),
      level: 2,
      action: 'editMe',
      actor: { callerType: 'user', id: 'usr_1', displayName: 'Ann' },
      text: 'Ann invited bob@example.com',
      detail: { after: { name: 'Ann', ids: ['Ann'] } },
      people: [{ person: personOfAddress(projectId, 'bob@example.com'), values: ['bob@example.com'] }],
    });
    const { headHash } = await at.verified();
    const exported = async () => {
      const [begin, end] = [-dayMs, dayMs].map(ms => new Date(at.world.now().getTime() + ms).toISOString());
      const query = new URLSearchParams({ begin: begin ?? '', end: end ?? '', format: 'jsonl' });
      const answer = await at.owner.fetch(
        `${at.world.url}/api${pathOf(exportLogEntries, { projectId })}?${query}`,
      );
      const lines = (await answer.text()).trim().split('\n');
      return lines.toReversed().map(line => JSON.parse(line) as LogEntry & { sealed?: object });
    };
    const hashOf = (entries: Awaited<ReturnType<typeof exported>>) =>
      entries
        .map(({ sealed, ...entry }) => canonicalJson({ ...entry, ...sealed, projectId }))
        .reduce((before, text) => createHash('sha256').update(before).update(text).digest(), noHash)
        .toString('hex');
    expect(hashOf(await exported())).toBe(headHash);
    await eraseNames(platform.db, projectId, ['usr_1']);
    const entries = await exported();
    expect(hashOf(entries)).toBe(headHash);
    expect(entries.at(-1)).toMatchObject({
      actor: { id: 'usr_1', displayName: '[erased]' },
      text: '[erased] invited bob@example.com',
    });
    expect(await at.verified()).toMatchObject({ intact: true, headHash });
  });

  it('reports how many entries are not sealed yet', async () => {
    await at.verified();
    await at.unsealed(async () => {
      await writeEntries(at.world.platform, at.projectId, [{}, {}]);
      expect((await sealBatch(at.world.platform.db)).busy).toBe(true);
      expect(await at.verify()).toMatchObject({ intact: true, entriesChecked: 1, entriesNotYetSealed: 2 });
    });
    await at.seal();
    expect(await at.verify()).toMatchObject({ intact: true, entriesChecked: 3, entriesNotYetSealed: 0 });
  });

  it('contains every head it ever had', async () => {
    const heads: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await at.owner.client.call(editProject, { params: { projectId: at.projectId }, body: { name } });
      heads.push((await at.verified()).headHash ?? '');
    }
    for (const head of heads) expect(await at.verify(head)).toMatchObject({ intact: true });
    expect(await at.verify('0'.repeat(64))).toMatchObject({ intact: false });
  });

  it('of an organization contains what happens to its accounts', async () => {
    await at.seal();
    const found = await verifyLog(at.world.platform, 'default', at.world.now());
    expect(found).toMatchObject({ intact: true });
    expect(found.entriesChecked).toBeGreaterThan(2);
  });
});

describe('no entry is missing from the chain', () => {
  it('if writers keep their transactions open while others commit', async () => {
    const { db } = at.world.platform;
    const count = 40;
    const writers = Array.from({ length: count }, (_, i) =>
      db.tx(async tx => {
        const ts = new Date(at.world.now().getTime() - i * 1000);
        await appendEntries(tx, at.world.platform, [
          {
            projectId: at.projectId,
            stream: 'audit',
            ts,
            level: 2,
            action: 'late',
            text: `late ${i}`,
            actor: { callerType: 'developer', id: 'x', displayName: 'x' },
          },
        ]);
        await tx.one(sql`select pg_sleep(${(i % 8) / 40})`);
      }),
    );
    let writing = true;
    const sealers = [1, 2].map(async () => {
      while (writing) await sealBatch(db);
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(sealers);
    await at.seal();
    expect(await at.verify()).toMatchObject({
      intact: true,
      entriesNotYetSealed: 0,
      entriesChecked: count + 1,
    });
  });

  it('if an entry is queued twice', async () => {
    await at.fiveEntries();
    const note = () => sql`
      insert into audit_unsealed select project_id, ts, id from log_entries where project_id = ${at.projectId}`;
    await at.tamper(note());
    await writeEntries(at.world.platform, at.projectId, [{}]);
    await at.tamper(note());
    await at.tamper(note());
    await at.seal();
    expect(await at.verify()).toMatchObject({ intact: true, entriesNotYetSealed: 0, entriesChecked: 7 });
  });

  it('if the sealer is killed again and again', async () => {
    const count = 6_000;
    const entries = Array.from({ length: count }, () => ({}));
    await at.unsealed(() => writeEntries(at.world.platform, at.projectId, entries));
    for (const batches of [1, 2]) {
      const child = sealing(at.world.platform.config.databaseUrl ?? '');
      // The child reports each batch and goes on: the signal arrives during the next batch.
      for (let i = 0; i < batches; i++) await once(child.stdout ?? child, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect((await at.verify()).intact).toBe(true);
    await at.seal();
    expect(await at.verify()).toMatchObject({
      intact: true,
      entriesNotYetSealed: 0,
      entriesChecked: count + 1,
    });
  });
});

/** A process that seals, and reports each batch. */
function sealing(databaseUrl: string): ChildProcess {
  const program = `
    import { openDatabase } from '#server/infra/db/sql.ts';
    import { sealBatch } from '#server/api/logs/auditChain/seal.ts';
    const db = openDatabase(process.argv[1], { max: 2 });
    for (;;) { await sealBatch(db); process.stdout.write('.'); }`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
