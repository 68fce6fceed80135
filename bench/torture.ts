import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run torture -- accounts`: runs bench/torture/accounts.ts, which reports lost data and fails if there is any. */
const folder = join(import.meta.dirname, 'torture');
const [name = '', ...words] = process.argv.slice(2);
const file = join(folder, `${name}.ts`);
if (!/^\w+$/.test(name) || !existsSync(file)) {
  console.error(
    `Usage: npm run torture -- ${readdirSync(folder)
      .filter(one => one.endsWith('.ts'))
      .map(one => one.slice(0, -3))
      .join('|')}`,
  );
  process.exit(2);
}
const { run } = (await import(file)) as { run: (words: string[]) => Promise<boolean> };
process.exitCode = (await run(words)) ? 0 : 1;
