import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder } from '#test/embedded.ts';
import { own, ownerOf } from './ownership.ts';

test('a folder has one owner until it is released', () => {
  const dataDir = emptyFolder();
  const release = own(dataDir);
  expect(ownerOf(dataDir)).toBe(process.pid);
  expect(() => own(dataDir)).toThrow(`(process ${process.pid})`);
  release();
  expect(ownerOf(dataDir)).toBeUndefined();
  own(dataDir)();
  expect(readdirSync(dataDir)).toEqual([]);
});

test.for(['', 'nonsense', '2147483646\nlong dead\n', `${process.pid}\nborn at another time\n`])(
  'a dead owner does not count: %j',
  content => {
    const dataDir = emptyFolder();
    writeFileSync(join(dataDir, 'mooring.pid'), content);
    own(dataDir)();
  },
);

test('of many processes that find a dead owner at the same time, only one gets the folder', async () => {
  const dataDir = emptyFolder();
  writeFileSync(join(dataDir, 'mooring.pid'), '2147483646\nlong dead\n');
  const script = `
    import { own } from ${JSON.stringify(join(import.meta.dirname, 'ownership.ts'))};
    while (Date.now() < Number(process.argv[1]));
    try { own(${JSON.stringify(dataDir)}); console.log('own'); } catch { console.log('refused'); }
    setInterval(() => undefined, 60_000);`;
  const together = Date.now() + 700;
  const answers = Array.from({ length: 6 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, String(together)]);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    for await (const line of createInterface({ input: child.stdout })) return line;
    return 'nothing';
  });
  expect((await Promise.all(answers)).filter(answer => answer === 'own')).toHaveLength(1);
});
