import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Fetch } from './fetch.ts';
import { FirmwareFault, fetchComponent } from './firmware.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const file = new TextEncoder().encode('the quick brown fox jumps over the lazy dog');
const component = {
  component: 'main',
  version: '1.0.0',
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  url: 'https://files.example.com/main',
};

/** Breaks after `cutAt` bytes of each answer, as often as is said. */
function aServer({ cutAt = file.length, breaks = 0, ranges = true, content = file } = {}) {
  const asked: (string | null)[] = [];
  const send = vi.fn(async (_url: string, init?: RequestInit) => {
    const range = new Headers(init?.headers).get('range');
    asked.push(range);
    const from = ranges ? Number(/\d+/.exec(range ?? '0')) : 0;
    const isBroken = asked.length <= breaks;
    let isGiven = false;
    const pull = (control: ReadableStreamDefaultController<Uint8Array>) => {
      if (!isGiven) control.enqueue(content.slice(from, isBroken ? from + cutAt : undefined));
      else if (isBroken) control.error(new TypeError('terminated'));
      else control.close();
      isGiven = true;
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    return new Response(body, { status: from > 0 ? 206 : 200 });
  });
  return { asked, fetch: send };
}

async function fetched(server: { fetch: Fetch }, what = component): Promise<string> {
  const pieces: Uint8Array[] = [];
  const running = fetchComponent(what, { fetch: server.fetch, write: piece => void pieces.push(piece) });
  const ended = running.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  const error = await ended;
  if (error) throw error;
  return Buffer.concat(pieces).toString();
}

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof FirmwareFault ? error.reason : error),
  );

it('a file whose connection breaks is taken up where it broke', async () => {
  const server = aServer({ cutAt: 10, breaks: 2 });
  expect(await fetched(server)).toBe('the quick brown fox jumps over the lazy dog');
  expect(server.asked).toEqual([null, 'bytes=10-', 'bytes=20-']);
});

it('a file whose server knows no ranges is read anew and written once', async () => {
  const server = aServer({ cutAt: 10, breaks: 1, ranges: false });
  expect(await fetched(server)).toBe('the quick brown fox jumps over the lazy dog');
});

it('a file that is not the one that was meant is refused', async () => {
  const other = file.map((byte, at) => (at === 4 ? byte ^ 1 : byte));
  expect(await reason(fetched(aServer({ content: other })))).toBe('CHECKSUM_WRONG');
  expect(await reason(fetched(aServer({ content: file.slice(1) })))).toBe('SIZE_WRONG');
  expect(await reason(fetched(aServer({ content: Uint8Array.from([...file, 1]) })))).toBe('SIZE_WRONG');
});

it('a server that never gives all of it is given up', async () => {
  const server = aServer({ cutAt: 1, breaks: 100 });
  expect(await reason(fetched(server))).toBe('UNREACHABLE');
  expect(server.asked).toHaveLength(5);
});

it('what cannot be written is not taken for a broken connection', async () => {
  const server = aServer();
  const full = fetchComponent(component, {
    fetch: server.fetch,
    write: () => {
      throw new TypeError('The flash is full.');
    },
  });
  await expect(full).rejects.toThrow('The flash is full.');
  expect(server.asked).toHaveLength(1);
});
