import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LogEntry, type LogVerification, readLogEntries, verifyLogEntries } from '#contract/log.ts';
import { editProject } from '#contract/project.ts';
import { openDatabase, type Sql, sql } from '#server/db/sql.ts';
import { writeEntries } from '#test/entries.ts';
import { until } from '#test/until.ts';
import { aWorld, dayMs, type SignedIn, type World } from '#test/world.ts';
import { appendEntries } from './append.ts';
import { canonicalJson, noHash } from './hash.ts';
import { sealBatch } from './seal.ts';
import { verifyLog } from './verify.ts';

let world: World;
let ada: SignedIn;
let projectId: string;
beforeAll(async () => {
  world = await aWorld();
  ada = await world.aDeveloper();
  await world.platform.db.run(sql`update developers set max_projects = 1000 where id = ${ada.developer.id}`);
});
afterAll(() => world.end());

beforeEach(async () => {
  projectId = (await world.aProject(ada)).id;
});

const verify = (head?: string) =>
  ada.client.call(verifyLogEntries, { params: { projectId }, query: head ? { head } : {} });

/** After the sealer has come by. */
function verified(): Promise<LogVerification> {
  return until(async () => {
    const found = await verify();
    return found.entriesNotYetSealed === 0 ? found : undefined;
  });
}

async function fiveEntries(): Promise<void> {
  await writeEntries(
    world.platform,
    projectId,
    Array.from({ length: 5 }, (_, i) => ({
      ts: new Date(world.now().getTime() + i),
      text: `entry ${i}`,
      detail: { after: { n: i } },
    })),
  );
  await seal();
}

/** Seals what is there now, whoever else is at it. */
async function seal(): Promise<void> {
  await until(async () => {
    const { busy, more } = await sealBatch(world.platform.db);
    return busy || more ? undefined : true;
  });
}

/** Keeps every sealer away meanwhile, by holding their lock. */
async function unsealed(work: () => Promise<void>): Promise<void> {
  const other = openDatabase(world.platform.config.databaseUrl ?? '', { max: 1 });
  await other.tx(async tx => {
    await tx.one(sql`select pg_advisory_xact_lock(7264002)`);
    await work();
  });
  await other.end();
}

const tamper = (query: Sql) => world.platform.db.run(query);

describe('the chain', () => {
  it('holds what was written within moments of it, without anybody asking', async () => {
    await ada.client.call(editProject, { params: { projectId }, body: { name: 'Renamed' } });
    const found = await verified();
    expect(found).toMatchObject({ intact: true, entriesChecked: 2, entriesNotYetSealed: 0 });
    expect(found.headHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('can be checked with nothing but the entries as the API shows them', async () => {
    await fiveEntries();
    const query = {
      begin: new Date(world.now().getTime() - dayMs).toISOString(),
      end: new Date(world.now().getTime() + dayMs).toISOString(),
    };
    const entries: LogEntry[] = await ada.client.call(readLogEntries, { params: { projectId }, query });
    const head = entries.toReversed().reduce(
      (before, entry) =>
        createHash('sha256')
          .update(before)
          .update(canonicalJson({ ...entry, projectId }))
          .digest(),
      noHash,
    );
    expect((await verified()).headHash).toBe(head.toString('hex'));
  });

  it('says how many entries still wait for their seal', async () => {
    await verified();
    await unsealed(async () => {
      await writeEntries(world.platform, projectId, [{}, {}]);
      expect((await sealBatch(world.platform.db)).busy).toBe(true);
      expect(await verify()).toMatchObject({ intact: true, entriesChecked: 1, entriesNotYetSealed: 2 });
    });
    await seal();
    expect(await verify()).toMatchObject({ intact: true, entriesChecked: 3, entriesNotYetSealed: 0 });
  });

  it('goes through every head it ever had', async () => {
    const heads: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await ada.client.call(editProject, { params: { projectId }, body: { name } });
      heads.push((await verified()).headHash ?? '');
    }
    for (const head of heads) expect(await verify(head)).toMatchObject({ intact: true });
    expect(await verify('0'.repeat(64))).toMatchObject({ intact: false });
  });

  it('of an organization holds what happens to accounts', async () => {
    await seal();
    const found = await verifyLog(world.platform.db, 'default', world.now());
    expect(found).toMatchObject({ intact: true });
    expect(found.entriesChecked).toBeGreaterThan(2);
  });
});

describe('verifying finds', () => {
  beforeEach(fiveEntries);

  const mine = () => sql`project_id = ${projectId} and stream = 'audit'`;

  it('an entry whose text was changed', async () => {
    await tamper(sql`update log_entries set text = 'entry X' where ${mine()} and text = 'entry 2'`);
    const { intact, fault, entriesChecked } = await verify();
    expect({ intact, entriesChecked }).toEqual({ intact: false, entriesChecked: 3 });
    expect(fault?.text).toBe('This entry or its place in the chain was changed after it was sealed.');
  });

  it.each([
    ['level', sql`level = 3`],
    ['actor', sql`actor = actor || '{"id":"dvl_innocent"}'`],
    ['sudo mark', sql`actor = actor || '{"bySudoer":true}'`],
    ['action', sql`action = 'nothing'`],
    ['detail', sql`detail = '{"after":{"n":3}}'`],
    ['missing detail', sql`detail = null`],
    ['subject', sql`subject = 'dvl_x'`],
  ])('an entry whose %s was changed', async (_, change) => {
    await tamper(sql`update log_entries set ${change} where ${mine()} and text = 'entry 2'`);
    expect((await verify()).fault?.text).toMatch(/was changed/);
  });

  it('an entry that was moved in time', async () => {
    await tamper(
      sql`update log_entries set ts = ts - interval '1 hour' where ${mine()} and text = 'entry 2'`,
    );
    expect((await verify()).fault?.text).toMatch(/removed/);
  });

  it.each(['entry 0', 'entry 2', 'entry 4'])('that %s was deleted', async text => {
    await tamper(sql`delete from log_entries where ${mine()} and text = ${text}`);
    expect((await verify()).fault?.text).toBe('This entry was removed after it was sealed.');
  });

  it('an entry that was deleted with its seal', async () => {
    await tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text = 'entry 2' returning id)
      delete from audit_seals where project_id = ${projectId} and entry_id in (select id from gone)`);
    expect((await verify()).fault?.text).toBe('The seals before this entry were removed.');
  });

  it('that the oldest entries were deleted with their seals', async () => {
    await tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text in ('entry 0', 'entry 1') returning id)
      delete from audit_seals where project_id = ${projectId} and (seq = 1 or entry_id in (select id from gone))`);
    expect((await verify()).fault?.text).toBe('The seals before this entry were removed.');
  });

  it('that the newest entries were deleted with their seals, for whoever kept the head', async () => {
    const { headHash } = await verify();
    await tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text = 'entry 4' returning id)
      delete from audit_seals where project_id = ${projectId} and entry_id in (select id from gone)`);
    expect((await verify()).intact).toBe(true);
    expect((await verify(headHash)).fault?.text).toBe('The chain does not go through the hash you gave.');
  });

  it('an entry that was put in', async () => {
    await tamper(sql`
      insert into log_entries (project_id, stream, ts, id, level, actor, action, text)
      select project_id, stream, ts, 'log_forged', level, actor, action, 'forged' from log_entries
      where ${mine()} and text = 'entry 2'`);
    const { fault } = await verify();
    expect(fault).toMatchObject({ entryId: 'log_forged' });
    expect(fault?.text).toMatch(/put in/);
  });

  it('two entries that changed places', async () => {
    await tamper(sql`
      update audit_seals s set entry_id = o.entry_id, entry_ts = o.entry_ts, hash = o.hash
      from audit_seals o
      where s.project_id = ${projectId} and o.project_id = ${projectId} and s.seq in (3, 4) and o.seq = 7 - s.seq`)
      // The unique index refuses the swap in one statement; whoever forges a chain drops it first.
      .catch(async () => {
        await tamper(sql`drop index audit_seals_entry`);
        await tamper(sql`
          update audit_seals s set entry_id = o.entry_id, entry_ts = o.entry_ts, hash = o.hash
          from audit_seals o
          where s.project_id = ${projectId} and o.project_id = ${projectId} and s.seq in (3, 4)
            and o.seq = 7 - s.seq`);
        await tamper(sql`create unique index audit_seals_entry on audit_seals (project_id, entry_id)`);
      });
    expect((await verify()).fault?.text).toMatch(/its place in the chain/);
  });

  it('nothing in the log of a neighbour', async () => {
    await tamper(sql`update log_entries set text = 'entry X' where ${mine()} and text = 'entry 2'`);
    const other = await world.aProject(ada);
    await seal();
    const found = await ada.client.call(verifyLogEntries, { params: { projectId: other.id } });
    expect(found.intact).toBe(true);
  });
});

describe('no entry is missed', () => {
  it('of writers whose transactions stay open while others come and go', async () => {
    const { db } = world.platform;
    const count = 40;
    const writers = Array.from({ length: count }, (_, i) =>
      db.tx(async tx => {
        const ts = new Date(world.now().getTime() - i * 1000);
        await appendEntries(tx, world.platform, [
          {
            ...{ projectId, stream: 'audit', ts, level: 2, action: 'late', text: `late ${i}` },
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
    await seal();
    expect(await verify()).toMatchObject({ intact: true, entriesNotYetSealed: 0, entriesChecked: count + 1 });
  });

  it('when one of them is noted twice', async () => {
    await fiveEntries();
    const note = () => sql`
      insert into audit_unsealed select project_id, ts, id from log_entries where project_id = ${projectId}`;
    await tamper(note());
    await writeEntries(world.platform, projectId, [{}]);
    await tamper(note());
    await tamper(note());
    await seal();
    expect(await verify()).toMatchObject({ intact: true, entriesNotYetSealed: 0, entriesChecked: 7 });
  });

  it('when a sealer is killed again and again', async () => {
    const count = 6_000;
    const entries = Array.from({ length: count }, () => ({}));
    await unsealed(() => writeEntries(world.platform, projectId, entries));
    for (const batches of [1, 2]) {
      const child = sealing(world.platform.config.databaseUrl ?? '');
      // It says so after each batch and goes on: the signal comes in the middle of the next.
      for (let i = 0; i < batches; i++) await once(child.stdout ?? child, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect((await verify()).intact).toBe(true);
    await seal();
    expect(await verify()).toMatchObject({ intact: true, entriesNotYetSealed: 0, entriesChecked: count + 1 });
  });
});

/** A process that seals and says so after each batch. */
function sealing(databaseUrl: string): ChildProcess {
  const program = `
    import { openDatabase } from '#server/db/sql.ts';
    import { sealBatch } from '#server/logs/seal.ts';
    const db = openDatabase(process.argv[1], { max: 2 });
    for (;;) { await sealBatch(db); process.stdout.write('.'); }`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('audit verify on the command line', () => {
  const run = promisify(execFile);
  const verifyByCli = (...words: string[]) =>
    run(process.execPath, ['cli/operator.ts', 'audit', 'verify', ...words], {
      env: {
        ...process.env,
        DATABASE_URL: world.platform.config.databaseUrl,
        DATA_DIR: world.platform.config.dataDir,
      },
    });

  it('says what it checked and the head', async () => {
    await fiveEntries();
    const { stdout } = await verifyByCli(projectId);
    const { headHash = '' } = await verify();
    expect(stdout).toMatch(/^intact\n6 entries checked, .*\nhead [0-9a-f]{64}\n$/);
    expect(stdout).toContain(headHash);
    expect((await verifyByCli(projectId, headHash)).stdout).toMatch(/^intact/);
    expect((await verifyByCli('default')).stdout).toMatch(/^intact/);
  });

  it('ends with 1 when the chain is broken, with 2 when there is no such log', async () => {
    await fiveEntries();
    await tamper(sql`update log_entries set text = 'x' where project_id = ${projectId} and text = 'entry 1'`);
    await expect(verifyByCli(projectId)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^BROKEN {2}This entry or its place in the chain was changed/),
    });
    await expect(verifyByCli('prj_none')).rejects.toMatchObject({ code: 2 });
  });
});
