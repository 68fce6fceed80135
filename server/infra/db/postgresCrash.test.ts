import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask, kill, started, startKeeper, usedFolder } from '#test/embedded.ts';
import { deadline } from '#test/until.ts';
import { isAlive } from './embedded/processes.ts';
import { serviceUser } from './embedded/serviceUser.ts';
import { openDatabase, sql } from './sql.ts';

test('no acknowledged row is lost when PostgreSQL is killed under load', async () => {
  const postgres = await started({ dataDir: await usedFolder() });
  const db = openDatabase(postgres.url, { max: 10 });
  onTestFinished(() => db.end());
  await db.run(sql`create table kept (id int primary key)`);
  const acknowledged: number[] = [];
  const clients = { running: true };
  onTestFinished(() => {
    clients.running = false;
  });
  let next = 0;
  const writers = Array.from({ length: 10 }, async () => {
    while (clients.running) {
      const id = next++;
      const answer = await db.run(sql`insert into kept values (${id})`).catch(() => 0);
      if (answer === 1) acknowledged.push(id);
    }
  });
  for (let kills = 1; kills <= 3; kills++) {
    const goal = acknowledged.length + 300;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(goal), deadline);
    const pid = postgres.pid() ?? 0;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(postgres.pid() ?? pid).not.toBe(pid), deadline);
  }
  clients.running = false;
  await Promise.all(writers);
  const rows = await db.many<{ id: number }>(sql`select id from kept`);
  const found = new Set(rows.map(row => row.id));
  expect(acknowledged.filter(id => !found.has(id))).toEqual([]);
});

test('a backend that outlives its killed server does not keep a new one from starting', async () => {
  const dataDir = await usedFolder();
  const postgres = await started({ dataDir });
  const endless = ask(postgres.url, 'select count(*) from generate_series(1, 100000000000)').catch(
    () => undefined,
  );
  const running = `select 1 from pg_stat_activity where query like 'select count%' and state = 'active'`;
  await vi.waitFor(async () => expect(await ask(postgres.url, running)).toHaveLength(1), deadline);
  const pid = postgres.pid() ?? 0;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(postgres.pid() ?? pid).not.toBe(pid), deadline);
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await endless;
});

test('after a crash of the platform, the server that kept running is taken over', async () => {
  const dataDir = await usedFolder();
  const keeper = await startKeeper(dataDir);
  await ask(keeper.url, 'create table kept as select 1 as one');
  await kill(keeper.process);
  const postgres = await started({ dataDir });
  expect(postgres.pid()).toBe(keeper.pid);
  expect(await ask(postgres.url, 'select * from kept')).toEqual([{ one: 1 }]);
  await postgres.stop();
  expect(isAlive(keeper.pid)).toBe(false);
});

test('a server that was taken over is kept alive like one started here', async () => {
  const dataDir = await usedFolder();
  const keeper = await startKeeper(dataDir);
  await kill(keeper.process);
  const postgres = await started({ dataDir });
  process.kill(keeper.pid, 'SIGKILL');
  await vi.waitFor(() => expect(postgres.pid() ?? keeper.pid).not.toBe(keeper.pid), deadline);
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a running server with other settings is replaced, so that the current settings apply', async () => {
  const dataDir = await usedFolder();
  const keeper = await startKeeper(dataDir);
  await kill(keeper.process);
  const postgres = await started({ dataDir, settings: { work_mem: '7MB' } });
  expect(postgres.pid()).not.toBe(keeper.pid);
  expect(await ask(postgres.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }]);
});

test('pid files whose process ids belong to other programs now do not prevent a start', async () => {
  const dataDir = await usedFolder();
  const keeper = await startKeeper(dataDir);
  await kill(keeper.process);
  process.kill(keeper.pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(keeper.pid)).toBe(false), deadline);
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  // Runs as the server's own user, because PostgreSQL ignores processes of other users.
  const stranger = spawn('sleep', ['60'], serviceUser() ?? {});
  onTestFinished(() => void stranger.kill());
  writeFileSync(pidFile, [stranger.pid, ...rest].join('\n'));
  writeFileSync(join(dataDir, 'mooring.pid'), `${process.pid}\nborn at another time\n`);
  const postgres = await started({ dataDir });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a process that exits without stopping the server leaves none behind', async () => {
  const dataDir = await usedFolder();
  const { status, stdout } = spawnSync(process.execPath, ['test/postgresHolder.ts', dataDir, 'exit'], {
    encoding: 'utf8',
  });
  expect(status).toBe(3);
  const { pid } = JSON.parse(stdout) as { pid: number };
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), deadline);
});
