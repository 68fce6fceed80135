import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteApp } from '#contract/app.ts';
import { signOut } from '#contract/appApi/session.ts';
import { createStreamTicket, StreamMessage } from '#contract/appApi/stream.ts';
import { editDevice } from '#contract/device.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { editUser, endUserSessions } from '#contract/user.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appUrl, type CalledApp } from '#test/endUsers.ts';
import {
  aDeviceIn,
  happens,
  homeOf,
  joins,
  listenBySse,
  listenByWebSocket,
  untilPast,
} from '#test/eventStreams.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { rawCall } from '#test/rawCall.ts';
import { until } from '#test/until.ts';
import { openStreamsOf } from './openStreams.ts';

const at = aGatewayWorld();
let app: CalledApp;
const db = () => at.world.platform.db;

beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});
beforeEach(() => untilPast(at));

const aUser = () => anEndUser(at.world, app);
const names = (told: Record<string, unknown>[]) => told.flatMap(({ name }) => (name ? [name] : []));
const ticketOf = (user: Awaited<ReturnType<typeof aUser>>) => user.client.call(createStreamTicket, {});
const isNamed = (name: string) => (heard: { data: Record<string, unknown> }) => heard.data.name === name;

it('the events of a device arrive in order, in the format of the contract', async () => {
  const user = await aUser();
  const home = await homeOf(at, user);
  const device = await at.device();
  await inHome(at.world, home, [device.id]);
  await untilPast(at);
  await using stream = await listenBySse(user);
  {
    await using thing = await at.connect(device);
    await thing.say('state', { door: 'open' });
    await thing.say('events/opened', { by: 'Ida', _alert: { severity: 'warning', text: 'Open' } });
    const params = { deviceId: device.id };
    await at.owner.client.call(writeDesired, { params, body: { desired: { door: 'shut' } } });
    await at.owner.client.call(editDevice, { params, body: { name: 'Front door' } });
  }
  await stream.hear(({ data }) => data.connected === false);
  const of = { deviceId: device.id, homeId: home };
  const alert = { severity: 'warning', text: 'Open' };
  expect(stream.told.map(message => StreamMessage.parse(message))).toMatchObject([
    { type: 'presence', connected: true, ...of },
    { type: 'state', reported: { door: 'open' }, ...of },
    { type: 'event', name: 'opened', payload: { by: 'Ida' }, alert, ...of },
    { type: 'alert', what: 'raised', state: 'open', ...alert, ...of },
    { type: 'desired', desired: { door: 'shut' }, version: 1, ...of },
    { type: 'device', what: 'changed', ...of },
    { type: 'presence', connected: false, ...of },
  ]);
});

it('an app receives the events it subscribes to, regardless of case', async () => {
  const user = await anEndUser(at.world, await anApp(at.owner, at.projectId, { subscribedEvents: ['Bell'] }));
  const device = await aDeviceIn(at, await homeOf(at, user));
  await using stream = await listenBySse(user);
  for (const name of ['door', 'BELL', 'bell2', 'bell']) await happens(at, device, name);
  await stream.hear(isNamed('bell'));
  expect(names(stream.told)).toEqual(['BELL', 'bell']);
});

describe('a stream is opened', () => {
  it('over a WebSocket with a ticket that works once', async () => {
    const user = await aUser();
    const home = await homeOf(at, user);
    const device = await aDeviceIn(at, home);
    const { ticket } = await ticketOf(user);
    await using stream = await listenByWebSocket(user.baseUrl, { ticket });
    await happens(at, device, 'bell', { payload: { n: 1 } });
    expect((await stream.hear(isNamed('bell'))).data).toMatchObject({ homeId: home, payload: { n: 1 } });
    const again = await rawCall(fetch, ['GET', `${user.baseUrl}/events?ticket=${ticket}`]);
    expect(again.problem.reason).toBe('TICKET_INVALID');
    await expect(listenByWebSocket(user.baseUrl, { ticket })).rejects.toThrow();
  });

  it('only with a token or a fresh ticket of the same app, and only for one’s own home', async () => {
    const user = await aUser();
    const foreign = await homeOf(at, await aUser());
    const refusal = async (url: string, send = fetch) => (await rawCall(send, ['GET', url])).problem.reason;
    expect(await refusal(`${user.baseUrl}/events`)).toBe('NO_USER_SESSION');
    expect(await refusal(`${user.baseUrl}/events?ticket=made-up`)).toBe('TICKET_INVALID');
    const other = await anApp(at.owner, at.projectId);
    const { ticket } = await ticketOf(user);
    expect(await refusal(`${appUrl(at.world, other)}/events?ticket=${ticket}`)).toBe('TICKET_INVALID');
    for (const home of [foreign, '999999999999999999', 'none'])
      expect(await refusal(`${user.baseUrl}/events?homeId=${home}`, user.fetch)).toBe('HOME_NOT_FOUND');
    const late = await ticketOf(user);
    at.world.pass(31_000);
    expect(await refusal(`${user.baseUrl}/events?ticket=${late.ticket}`)).toBe('TICKET_INVALID');
    const over = await ticketOf(user);
    await user.client.call(signOut, {});
    expect(await refusal(`${user.baseUrl}/events?ticket=${over.ticket}`)).toBe('TICKET_INVALID');
  });

  it('at most ten times per user, and is counted for its app while it is open', async () => {
    const mine = await anApp(at.owner, at.projectId);
    const user = await anEndUser(at.world, mine);
    const open = () => openStreamsOf(at.world.platform, at.projectId, mine.id);
    const streams = await Promise.all(Array.from({ length: 10 }, () => listenBySse(user)));
    expect(await open()).toBe(10);
    const eleventh = await rawCall(user.fetch, ['GET', `${user.baseUrl}/events`]);
    expect(eleventh.problem.reason).toBe('TOO_MANY_STREAMS');
    for (const stream of streams) await stream.close();
    await until(async () => ((await open()) === 0 ? true : undefined));
    await (await listenBySse(user)).close();
  });
});

describe('the user of a stream receives, according to their current rights,', () => {
  it('events of their own homes only, or of the home that the stream was opened for', async () => {
    const [user, other] = [await aUser(), await aUser()];
    const [mine, second, foreign] = [await homeOf(at, user), await homeOf(at, user), await homeOf(at, other)];
    const [here, there, away] = [
      await aDeviceIn(at, mine),
      await aDeviceIn(at, second),
      await aDeviceIn(at, foreign),
    ];
    await using all = await listenBySse(user);
    await using one = await listenBySse(user, { homeId: second });
    for (const [device, name] of [
      [away, 'away'],
      [here, 'here'],
      [there, 'there'],
    ] as const)
      await happens(at, device, name);
    await Promise.all([all, one].map(stream => stream.hear(isNamed('there'))));
    expect([names(all.told), names(one.told)]).toEqual([['here', 'there'], ['there']]);
  });

  it('after a removal from a home, only the removal itself, also when resuming from earlier', async () => {
    const [owner, guest] = [await aUser(), await aUser()];
    const home = await homeOf(at, owner);
    const device = await aDeviceIn(at, home);
    await joins(at, home, guest, { role: 'member' });
    await using stream = await listenBySse(guest);
    await using narrow = await listenBySse(guest, { homeId: home });
    const began = stream.lastId;
    await happens(at, device, 'before');
    await stream.hear(isNamed('before'));
    // In one transaction, and so in one page: events in the same page are not sent either.
    await db().tx(async tx => {
      await happens(at, device, 'meanwhile', { db: tx });
      await tx.run(sql`delete from home_members where home_id = ${home} and user_id = ${guest.id}`);
    });
    await stream.hear(({ event, data }) => event === 'membership' && data.role === undefined);
    await narrow.ended();
    expect(narrow.all.at(-1)?.event).toBe('ended');
    await happens(at, device, 'after');
    const own = await aDeviceIn(at, await homeOf(at, guest));
    await happens(at, own, 'own');
    await stream.hear(isNamed('own'));
    expect(names(stream.told)).toEqual(['before', 'own']);
    await using back = await listenBySse(guest, { lastEventId: began });
    await back.hear(isNamed('own'));
    expect(names(back.told)).toEqual(['own']);
  });

  it('as a guest, only the listed devices until the time window ends', async () => {
    const [owner, guest] = [await aUser(), await aUser()];
    const home = await homeOf(at, owner);
    const [listed, hidden] = [await aDeviceIn(at, home), await aDeviceIn(at, home)];
    const until = new Date(at.world.now().getTime() + hourMs);
    await joins(at, home, guest, { role: 'guest', until, devices: [listed] });
    await using stream = await listenBySse(guest);
    await using theirs = await listenBySse(owner);
    await happens(at, hidden, 'hidden');
    await happens(at, listed, 'seen');
    await stream.hear(isNamed('seen'));
    at.world.pass(hourMs + 1000);
    await happens(at, listed, 'late');
    const own = await aDeviceIn(at, await homeOf(at, guest));
    await happens(at, own, 'own');
    await Promise.all([stream.hear(isNamed('own')), theirs.hear(isNamed('late'))]);
    expect(names(stream.told)).toEqual(['seen', 'own']);
  });

  it('as the next owner, no events from before a device joined, even if it returned to the same home', async () => {
    const user = await aUser();
    const home = await homeOf(at, user);
    const device = await aDeviceIn(at, home);
    await using stream = await listenBySse(user);
    const began = stream.lastId;
    await happens(at, device, 'before');
    await stream.hear(isNamed('before'));
    await db().run(sql`
      update devices set home_id = null, owned_since = null, claimed_how = null where id = ${device.id}`);
    await stream.hear(({ data }) => data.what === 'removed');
    await happens(at, device, 'between');
    at.world.pass(1000);
    await inHome(at.world, home, [device.id]);
    await happens(at, device, 'after');
    await stream.hear(isNamed('after'));
    expect(names(stream.told)).toEqual(['before', 'after']);
    await using back = await listenBySse(user, { lastEventId: began });
    await back.hear(isNamed('after'));
    expect(names(back.told)).toEqual(['after']);
  });

  it('as a new member, the later events of the home on the open stream', async () => {
    const [owner, friend] = [await aUser(), await aUser()];
    const home = await homeOf(at, owner);
    const device = await aDeviceIn(at, home);
    await using stream = await listenBySse(friend);
    await joins(at, home, friend, { role: 'member' });
    await stream.hear(({ event, data }) => event === 'membership' && data.role === 'member');
    await happens(at, device, 'bell');
    expect((await stream.hear(isNamed('bell'))).data.homeId).toBe(home);
  });

  it('nothing once the session ended, the user was suspended or the app was deleted, and the stream ends', async () => {
    const short = await anApp(at.owner, at.projectId);
    const [user, suspended, without] = [await aUser(), await aUser(), await anEndUser(at.world, short)];
    await using stream = await listenBySse(user);
    await using other = await listenBySse(suspended);
    await using third = await listenBySse(without);
    const { client } = at.owner;
    await client.call(endUserSessions, { params: { userId: user.id } });
    await client.call(editUser, { params: { userId: suspended.id }, body: { suspended: true } });
    await client.call(deleteApp, { params: { appId: short.id }, query: { projectId: at.projectId } });
    await Promise.all([stream.ended(), other.ended(), third.ended()]);
    const last = [stream, other, third].map(({ all }) => all.at(-1)?.event);
    expect(last).toEqual(['ended', 'ended', 'ended']);
  });
});

it('the deletion of a home is sent to its members', async () => {
  const user = await aUser();
  const home = await homeOf(at, user);
  await untilPast(at);
  await using stream = await listenBySse(user);
  await db().run(sql`delete from homes where id = ${home}`);
  await stream.hear(({ event }) => event === 'membership');
  // A new stream may also receive events about the creation of the home.
  expect(stream.told.slice(-2)).toMatchObject([
    { type: 'home', what: 'deleted', homeId: home },
    { type: 'membership', homeId: home },
  ]);
});
