import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { neighborhoods } from '#server/order.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

it('the architecture page draws the neighborhoods of the server in their order, with their rooms', async () => {
  const lines = Object.entries(neighborhoods).map(([name, about]) => {
    const rooms = readdirSync(join(root, 'server', name), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(room => room.name)
      .sort();
    return `${name.padEnd(9)} ${about}\n          ${rooms.join(' ')}`;
  });
  const drawn = page.replace(/(<!-- the neighborhoods -->\n```\n)[^`]*(```)/, `$1${lines.join('\n')}\n$2`);
  await expect(drawn).toMatchFileSnapshot('../../docs/architecture.md');
});
