import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, emptyFolder, silent, usedFolder } from '#test/embedded.ts';
import { joinPostgres, startPostgres } from './postgres.ts';

it('a command that started the database lets the others finish before it stops it', async () => {
  const dataDir = await usedFolder();
  const waiting = Promise.withResolvers<string>();
  const first = await joinPostgres({ dataDir, log: { warn: waiting.resolve } });
  const second = await joinPostgres({ dataDir, log: silent });
  const stopped = first.stop().then(() => 'stopped');
  expect(await Promise.race([stopped, waiting.promise])).toContain(`(process ${process.pid})`);
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  expect(await stopped).toBe('stopped');
  await expect(ask(second.url, 'select 1')).rejects.toThrow();
});

it('commands that begin at the same moment on a stopped platform share a database', async () => {
  const dataDir = emptyFolder();
  const commands = await Promise.all([1, 2, 3].map(() => joinPostgres({ dataDir, log: silent })));
  for (const { url } of commands) expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all(commands.map(one => one.stop()));
});

it('a command that begins while another ends waits for it, and starts the database again', async () => {
  const dataDir = await usedFolder();
  const first = await joinPostgres({ dataDir, log: silent });
  const [second] = await Promise.all([joinPostgres({ dataDir, log: silent }), first.stop()]);
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
});

it.runIf(process.platform === 'linux')('a full disk does not keep the database from stopping', async () => {
  const dataDir = await usedFolder();
  const postgres = await joinPostgres({ dataDir, log: silent });
  symlinkSync('/dev/full', join(dataDir, 'mooring.closing'));
  await postgres.stop();
  await expect(ask(postgres.url, 'select 1')).rejects.toThrow();
});

it('a data folder may have commas, spaces, quotes and letters of any language in its name', async () => {
  const dataDir = join(emptyFolder(), 'a, b "c" ü');
  const postgres = await joinPostgres({ dataDir, log: silent });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await postgres.stop();
});

it('a data folder that cannot be written is named in a sentence', async () => {
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  const refused = expect(startPostgres({ dataDir: join(file, 'data'), log: silent })).rejects;
  await refused.toThrow(/data cannot be written to: a part of the path is a file\. Make it writable/);
});
