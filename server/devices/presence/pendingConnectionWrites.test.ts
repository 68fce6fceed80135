import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionsMax } from '#rules/devices/gatewayLimits.ts';
import {
  type Begin,
  type End,
  type LockedDevice,
  PendingConnectionWrites,
} from './pendingConnectionWrites.ts';

const keyHash = Buffer.alloc(32, 1);
const at = new Date('2026-11-20T12:00:00Z');
const device = (more: Partial<LockedDevice> = {}): LockedDevice => ({
  id: 'dev_1',
  projectId: 'prj_1',
  deviceClass: 'c',
  displayName: 'd',
  suspended: false,
  keyHash,
  previousKeyHash: null,
  previousKeyUntil: null,
  connected: false,
  changedAt: null,
  messageRate: 20,
  ...more,
});
const begin = (clientId: string, more: Partial<Begin> = {}): Begin => ({
  kind: 'begin',
  deviceId: 'dev_1',
  clientId,
  credential: { keyHash },
  protocol: 'mqtt',
  address: '::1',
  at,
  isOver: () => false,
  silentMsOf: () => undefined,
  ...more,
});
const end = (clientId: string, number: number): End => ({
  kind: 'end',
  projectId: 'prj_1',
  deviceId: 'dev_1',
  clientId,
  number,
  reason: 'LOST',
  at,
});

describe('the book of connections', () => {
  it('does not register a connection that ended before its turn', () => {
    const book = new PendingConnectionWrites([device()], [], 'gtw_1');
    expect(book.begin(begin('a', { isOver: () => true }), 1)).toEqual({ taken: false, refusal: 'LEFT' });
    expect([book.added.size, book.edits.size, book.changes]).toEqual([0, 0, []]);
  });

  it('does not apply the late end of an older connection to a newer one', () => {
    const book = new PendingConnectionWrites([device()], [], 'gtw');
    expect(book.begin(begin('a'), 1)).toMatchObject({ taken: true, changed: true, over: undefined });
    expect(book.begin(begin('a'), 2)).toMatchObject({ taken: true, changed: false, over: { number: 1 } });
    expect(book.end(end('a', 1), 3)).toBe(false);
    expect(book.edits.get('dev_1')?.connected).toBe(true);
    expect(book.end(end('a', 2), 4)).toBe(true);
    expect(book.changes.map(({ connected, number }) => [connected, number])).toEqual([
      [true, 1],
      [false, 4],
    ]);
  });

  it.each([
    [undefined, {}, 'DELETED'],
    [device({ suspended: true }), {}, 'SUSPENDED'],
    [device(), { credential: { keyHash: Buffer.alloc(32) } }, 'KEY_CHANGED'],
    [device(), { credential: { keyHash, until: at } }, 'KEY_EXPIRED'],
    [
      device({ previousKeyHash: Buffer.alloc(32), previousKeyUntil: at }),
      { credential: { keyHash: Buffer.alloc(32) } },
      'KEY_CHANGED',
    ],
  ] as const)('refuses devices that must not connect: %#', (row, more, refusal) => {
    const book = new PendingConnectionWrites(row ? [row] : [], [], 'gtw');
    expect(book.begin(begin('a', more), 1)).toEqual({ taken: false, refusal });
    expect(book.added.size + book.edits.size + book.changes.length).toBe(0);
  });

  it('leaves no trace of a client that did not wait', () => {
    const book = new PendingConnectionWrites([device()], [], 'gtw');
    expect(book.begin(begin('a', { isOver: () => true }), 1)).toEqual({ taken: false, refusal: 'LEFT' });
    expect(book.added.size + book.changes.length).toBe(0);
  });

  it('displaces the longest silent connection for a fifth one, on any gateway', () => {
    const open = (clientId: string, number: number, minutes: number) => ({
      projectId: 'prj_1',
      deviceId: 'dev_1',
      clientId,
      number,
      gatewayId: 'gtw',
      protocol: 'mqtt' as const,
      address: '::1',
      temporary: false,
      since: new Date(at.getTime() - minutes * 60_000),
    });
    const rows = [open('a', 1, 99), open('b', 2, 5), open('c', 3, 98), open('d', 4, 2)];
    const silent = new Map([
      [1, 1_000],
      [3, 30_000],
      [4, 110_000],
    ]);
    const fifth = begin('e', { silentMsOf: ({ number }) => silent.get(number) });
    const book = new PendingConnectionWrites([device({ connected: true })], rows, 'gtw');
    expect(book.begin({ ...fifth, returningAs: 0 }, 5)).toEqual({ taken: false, refusal: 'TOO_MANY' });
    // For the second connection, only the beginning is known.
    expect(book.begin(fifth, 6)).toMatchObject({ taken: true, displaced: { clientId: 'b' } });
    expect(book.removed).toEqual([rows[1]]);
    expect(book.end(end('b', 2), 7)).toBe(false);
  });

  it('does not let a connection that lost its row take over a newer one of the same client', () => {
    const book = new PendingConnectionWrites([device()], [], 'gtw_1');
    const newer = begin('a', { address: '::2' });
    book.begin(newer, 2);
    expect(book.begin(begin('a', { returningAs: 1 }), 3)).toEqual({ taken: false, refusal: 'TAKEN_OVER' });
    expect([...book.added.values()]).toMatchObject([{ number: 2, address: '::2' }]);
    // A connection that comes back to its own row, or to none, is registered under a new number.
    expect(book.begin({ ...newer, returningAs: 2 }, 4)).toMatchObject({ taken: true, number: 4 });
    expect(book.begin(begin('b', { returningAs: 1 }), 5)).toMatchObject({ taken: true, number: 5 });
  });

  it('does not count a polling device as flapping', () => {
    const flapsOver = (protocol: Begin['protocol']) => {
      const book = new PendingConnectionWrites([device()], [], 'gtw_1');
      for (const number of [1, 3]) {
        book.begin(begin('a', { protocol }), number);
        book.end(end('a', number), number + 1);
      }
      expect(book.changes).toHaveLength(4);
      return book.edits.get('dev_1')?.flaps;
    };
    expect([flapsOver('http'), flapsOver('mqtt')]).toEqual([0, 4]);
  });

  it('never goes back in time, even if another clock is ahead', () => {
    const later = new Date(at.getTime() + 60_000);
    const book = new PendingConnectionWrites([device({ connected: false, changedAt: later })], [], 'gtw');
    book.begin(begin('a'), 1);
    expect(book.changes[0]?.at).toEqual(later);
  });

  it('reports a device as connected exactly while it has a connection, in any sequence', () => {
    const act = fc.record({
      clientId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      isBegin: fc.boolean(),
      back: fc.nat(6),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), acts => {
        const book = new PendingConnectionWrites([device()], [], 'gtw');
        const open = new Map<string, number>();
        const numbers: { clientId: string; number: number }[] = [];
        for (const [i, { clientId, isBegin, back }] of acts.entries()) {
          const number = i + 1;
          if (isBegin) {
            const outcome = book.begin(begin(clientId), number);
            const yielded = outcome.taken ? outcome.displaced : undefined;
            expect(yielded !== undefined).toBe(!open.has(clientId) && open.size === connectionsMax);
            expect(outcome.taken).toBe(true);
            if (yielded) open.delete(yielded.clientId);
            open.set(clientId, number);
            numbers.push({ clientId, number });
          } else {
            // Any earlier connection can be reported as ended, and more than once.
            const gone = numbers.at(-1 - back);
            if (!gone) continue;
            const wasLast = open.get(gone.clientId) === gone.number && open.size === 1;
            if (open.get(gone.clientId) === gone.number) open.delete(gone.clientId);
            expect(book.end(end(gone.clientId, gone.number), number)).toBe(wasLast);
          }
          expect(book.edits.get('dev_1')?.connected ?? false).toBe(open.size > 0);
        }
        const expected = new Map([...book.added].map(([key, row]) => [key.split(' ')[1], row.number]));
        expect(expected).toEqual(open);
        expect(book.changes.every(({ connected }, i) => connected === (i % 2 === 0))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
