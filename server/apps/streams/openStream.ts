import type { openStream } from '#contract/appApi/stream.ts';
import { Problem } from '#contract/problem.ts';
import type { RawAnswer } from '#server/api/endpoints/answer.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { parseCursor } from '#server/people/homeEvents/eventCursor.ts';
import { databaseNow } from '#server/people/homeEvents/readHomeEvents.ts';
import { StreamHub } from './streamHub.ts';
import { type Listener, redeemTicket } from './streamTickets.ts';

/** Limits per user and per process: a stream takes some kilobytes. */
const openMax = { ofUser: 10, here: 50_000 };

const hubs = new WeakMap<Platform['bus'], StreamHub>();

function hubOf(platform: Platform): StreamHub {
  const known = hubs.get(platform.bus);
  if (known) return known;
  const hub = new StreamHub(platform);
  hubs.set(platform.bus, hub);
  return hub;
}

/** Ends all event streams, so that shutdown does not wait for them. */
export function endEventStreams({ bus }: Platform): void {
  hubs.get(bus)?.stop();
}

/** Checks the caller and the parameters, and passes the stream on to the hub. */
export async function open(call: Call<typeof openStream>): Promise<RawAnswer> {
  const { db, platform, query, inApp } = call;
  const listener = await listenerOf(call);
  const { homeId: onlyHome } = query;
  if (onlyHome !== undefined && !(await isMember(db, listener, onlyHome)))
    throw new Problem('HOME_NOT_FOUND');
  const lastEventId = call.lastEventId ?? query.lastEventId;
  const after = lastEventId === undefined ? undefined : parseCursor(lastEventId, await databaseNow(db));
  const hub = hubOf(platform);
  if (hub.countOf(listener.userId) >= openMax.ofUser || hub.count >= openMax.here)
    throw new Problem('TOO_MANY_STREAMS');
  const { subscribedEvents } = inApp;
  const isReset = lastEventId !== undefined && after === undefined;
  return {
    listener: { id: listener.userId },
    eventStream: outlet => hub.open({ ...listener, subscribedEvents, onlyHome, after, isReset }, outlet),
  };
}

/** The listener of the token in the header, or of a ticket, which is used up. */
async function listenerOf({ db, now, inApp, endUser, query }: Call<typeof openStream>): Promise<Listener> {
  const of = { projectId: inApp.projectId, appId: inApp.id };
  if (endUser) return { ...of, userId: endUser.id, sessionId: endUser.sessionId };
  if (query.ticket === undefined) throw new Problem('NO_USER_SESSION');
  const listener = await redeemTicket(db, of, query.ticket, now);
  if (!listener) throw new Problem('TICKET_INVALID');
  return listener;
}

async function isMember(db: Db, { projectId, userId }: Listener, homeId: string): Promise<boolean> {
  if (!/^\d{1,18}$/.test(homeId)) return false;
  const found = await db.one(sql`
    select 1 as found from home_members
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  return found !== undefined;
}
