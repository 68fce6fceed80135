import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refreshSession } from '#contract/appApi/session.ts';
import { streamLimits } from '#rules/apps/streamLimits.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { parseCursor } from '#server/people/homeEvents/eventCursor.ts';
import { rotatePartitions } from '#server/people/homeEvents/rotatePartitions.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import {
  aDeviceIn,
  happens,
  homeOf,
  listenBySse,
  openedBySse,
  type StreamListener,
  untilPast,
} from '#test/eventStreams.ts';
import { anAgingWorld } from '#test/movedClock.ts';
import { until } from '#test/until.ts';

const at = anAgingWorld();
let user: EndUser;
let home: string;
beforeAll(async () => {
  user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
  home = await homeOf(at, user);
});
beforeEach(() => untilPast(at));

/** The same user, still signed in, with refreshed tokens. */
async function refreshed(given: EndUser): Promise<EndUser> {
  const body = { refreshToken: given.tokens.refreshToken };
  return { ...given, tokens: await given.client.call(refreshSession, { body }) };
}

const names = ({ told }: StreamListener) =>
  told.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
const isNamed = (name: string) => (heard: { data: Record<string, unknown> }) => heard.data.name === name;

it('an event of a late commit is not skipped, and comes before the events that wait for it', async () => {
  const device = await aDeviceIn(at, home);
  await using stream = await listenBySse(user);
  await at.world.platform.db.tx(async db => {
    await happens(at, device, 'early', { db });
    await happens(at, device, 'late');
    await happens(at, device, 'last', { db });
  });
  await stream.hear(isNamed('last'));
  expect(names(stream)).toEqual(['early', 'late', 'last']);
});

it('the events of a device come in the order of their effect, whichever transaction began first', async () => {
  const [device, other] = [await aDeviceIn(at, home), await aDeviceIn(at, home)];
  await using stream = await listenBySse(user);
  const { db } = at.world.platform;
  // The first transaction to begin writes last.
  await db.tx(async tx => {
    await happens(at, other, 'begun', { db: tx });
    await happens(at, device, 'first');
    await happens(at, device, 'second', { db: tx });
  });
  await stream.hear(isNamed('second'));
  expect(names(stream).filter(name => name !== 'begun')).toEqual(['first', 'second']);
});

it('with four writers and repeated disconnects, each event arrives once, and in order per device', async () => {
  const devices = await Promise.all([1, 2, 3, 4].map(() => aDeviceIn(at, home)));
  const heard: string[] = [];
  let stream = await listenBySse(user);
  let isDone = false;
  const writing = Promise.all(
    devices.map(async (device, writer) => {
      for (let n = 0; n < 60; n += 2)
        await at.world.platform.db.tx(async db => {
          await happens(at, device, `w${writer}-${n}`, { db });
          await new Promise(setImmediate);
          await happens(at, device, `w${writer}-${n + 1}`, { db });
        });
    }),
  ).then(() => {
    isDone = true;
  });
  // Disconnects whenever some events have arrived, at any position in a page.
  while (!isDone) {
    await until(() => (stream.told.length > 5 || isDone ? true : undefined));
    await stream.close();
    heard.push(...names(stream));
    stream = await listenBySse(user, { lastEventId: stream.lastId });
  }
  await writing;
  await until(() => (heard.length + names(stream).length >= 240 ? true : undefined));
  await happens(at, devices[0] ?? { id: '' }, 'end');
  await stream.hear(isNamed('end'));
  heard.push(...names(stream).filter(name => name !== 'end'));
  await stream.close();
  for (const [writer] of devices.entries())
    expect(heard.filter(name => name.startsWith(`w${writer}-`))).toEqual(
      Array.from({ length: 60 }, (_, n) => `w${writer}-${n}`),
    );
});

describe('a client that reconnects', () => {
  it('receives each state once, as it is now', async () => {
    const device = await aDeviceIn(at, home);
    const away = await listenBySse(user);
    await away.close();
    const { db } = at.world.platform;
    for (const door of ['open', 'shut'])
      await db.run(sql`
        insert into device_states (project_id, device_id, reported, reported_at)
        values (${at.projectId}, ${device.id}, ${JSON.stringify({ door })}, ${at.world.now()})
        on conflict (project_id, device_id) do update set reported = excluded.reported`);
    await happens(at, device, 'after');
    // Both changes must be read together.
    await untilPast(at);
    await using back = await listenBySse(user, { lastEventId: away.lastId });
    await back.hear(isNamed('after'));
    expect(back.told.filter(({ type }) => type === 'state')).toMatchObject([{ reported: { door: 'shut' } }]);
  });

  it('is told to read everything again if its cursor is too old, invalid or of another database', async () => {
    const stream = await listenBySse(user);
    await stream.close();
    const id = stream.lastId ?? '';
    const [from = '', to = '', seq = '', atS = '', cluster = ''] = id.split('-');
    const old = (Number.parseInt(atS, 36) - streamLimits.replayHours * 3600 - 5).toString(36);
    const ahead = (BigInt(Number.parseInt(to, 36)) + 1_000_000n).toString(36);
    for (const lastEventId of [
      [from, to, seq, old, cluster].join('-'),
      [from, to, seq, atS, `${cluster}x`].join('-'),
      [ahead, ahead, seq, atS, cluster].join('-'),
      'nonsense',
      "'; drop table homes; --",
    ]) {
      await using back = await listenBySse(user, { lastEventId });
      expect(back.all.map(({ event }) => event).slice(0, 2)).toEqual(['reset', 'opened']);
    }
    const nobody = { atS: 0, nextTx: 0n, cluster: '' };
    expect(parseCursor('zzzzzzzzzzzzz-zzzzzzzzzzzzz-0-0-', nobody)).toBeUndefined();
  });

  it('with the cursor of another user receives only its own events', async () => {
    const other = await anEndUser(at.world, await anApp(at.owner, at.projectId));
    const [mine, theirs] = [await aDeviceIn(at, home), await aDeviceIn(at, await homeOf(at, other))];
    const away = await listenBySse(user);
    await away.close();
    await happens(at, mine, 'mine');
    await happens(at, theirs, 'theirs');
    await using stream = await listenBySse(other, { lastEventId: away.lastId });
    await stream.hear(isNamed('theirs'));
    expect(names(stream)).toEqual(['theirs']);
  });
});

it('a client that reads too slowly is disconnected as lagging, and receives the rest when it reconnects', async () => {
  const device = await aDeviceIn(at, home);
  await using prompt = await listenBySse(user);
  const slow = await openedBySse(user);
  slow.pause();
  const isCut = new Promise(resolve => slow.once('close', resolve));
  const payload = { text: 'x'.repeat(100_000) };
  // More than the system buffers plus the allowed backlog.
  const count = 300;
  // In one transaction, because a stream that ended is not kept for long, and all of it is read below.
  await at.world.platform.db.tx(async db => {
    for (let n = 0; n < count; n++) await happens(at, device, `big${n}`, { payload, db });
  });
  await prompt.hear(isNamed(`big${count - 1}`));
  let text = '';
  slow.setEncoding('utf8');
  slow.on('data', more => {
    text += more;
  });
  slow.resume();
  await isCut;
  expect(text.trimEnd().split('\n').slice(-2)).toEqual(['event: lagging', 'data: {}']);
  const heard = [...text.matchAll(/"name":"big(\d+)"/g)].map(([, n]) => Number(n));
  expect(heard).toEqual(heard.map((_, n) => n));
  expect(heard.length).toBeLessThan(count);
  const lastEventId = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  await using back = await listenBySse(user, { lastEventId });
  await back.hear(isNamed(`big${count - 1}`));
  expect(names(back)).toEqual(
    Array.from({ length: count - heard.length }, (_, n) => `big${heard.length + n}`),
  );
});

// Last, because time passes for all tests.
it.each([1, 23])(
  'a client that reconnects after %i hours receives the missed events page by page, then live events',
  async hours => {
    const device = await aDeviceIn(at, home);
    const away = await listenBySse(user);
    await away.close();
    const all = Array.from({ length: 130 }, (_, n) => `n${n}`);
    for (let hour = 0; hour <= hours; hour++) {
      if (hour > 0) await at.passAll(hourMs);
      await rotatePartitions(at.world.platform);
      const [from, to] = [hour, hour + 1].map(n => Math.round((n * all.length) / (hours + 1)));
      for (const name of all.slice(from, to)) await happens(at, device, name);
    }
    user = await refreshed(user);
    await using back = await listenBySse(user, { lastEventId: away.lastId });
    await happens(at, device, 'live');
    await back.hear(isNamed('live'));
    expect(names(back)).toEqual([...all, 'live']);
    // Also from a position in between.
    const middle = back.all.find(isNamed('n77'))?.id;
    await using again = await listenBySse(user, { lastEventId: middle });
    await again.hear(isNamed('live'));
    expect(names(again)).toEqual([...all.slice(78), 'live']);
  },
);
