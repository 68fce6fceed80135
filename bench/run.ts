import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run bench -- api`: runs bench/api.ts, which exports `run`. */
const [name = '', ...words] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
const parts = ['run', 'torture', 'report'];
if (!/^\w+$/.test(name) || parts.includes(name) || !existsSync(file)) {
  const names = readdirSync(import.meta.dirname)
    .filter(one => one.endsWith('.ts') && !parts.includes(one.slice(0, -3)))
    .map(one => one.slice(0, -3));
  console.error(`Usage: npm run bench -- ${names.join('|')}`);
  process.exit(2);
}
const { run } = (await import(file)) as { run: (words: string[]) => Promise<void> };
await run(words);
