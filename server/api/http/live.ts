import type { LiveMessage } from '#contract/live.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';
import { newestEntry } from '#server/api/logs/store.ts';
import { lasts, type Session } from '#server/api/sessions/session.ts';
import { onSessionsChanged } from '#server/api/sessions/sessionNotices.ts';
import { publishChanged, rememberedMs } from '#server/infra/bus/recentChanges.ts';
import { publishWatched } from '#server/infra/bus/watchedDevices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Outlet } from './eventStream.ts';
import { Frame } from './frame.ts';
import { watchAccount } from './watchAccounts.ts';

const heartbeatMs = 20_000;
/** Watches are renewed at this interval and expire after this time. */
const watching = { everyMs: 10_000, forMs: 25_000 };
/** A client that does not read is disconnected; its console reconnects and refetches everything. */
const unreadBytesMax = 1024 * 1024;

const subjectOf = (projectId: string) => `project ${projectId}`;

const changedProjects = 'changed projects';

export function publishLive(platform: Pick<Platform, 'bus'>, projectId: string, message: LiveMessage): void {
  platform.bus.publish(subjectOf(projectId), message);
  if (message.kind === 'changed' || message.kind === 'devices') publishChanged(platform.bus, projectId);
  if (message.kind === 'changed' && /^\/(projects|apps)\/[^/]+$/.test(message.path))
    platform.bus.publish(changedProjects, { projectId });
}

/** Subscribes to changes to the settings of a project or its apps, for callers that cache them. */
export function onProjectChanged({ bus }: Platform, hear: (projectId: string) => void): () => void {
  return bus.subscribe(changedProjects, message => hear((message as { projectId: string }).projectId));
}

const endings = new Set<() => void>();

/** Open windows per developer, in this process. Each one queries the database from time to time. */
const openMax = 100;
const openOf = new Map<string, number>();

export function refuseSurplusStream({ developerId }: Session): void {
  if ((openOf.get(developerId) ?? 0) >= openMax) throw new Problem('TOO_MANY_STREAMS');
}

function countOpen({ developerId }: Session, by: 1 | -1): void {
  const count = (openOf.get(developerId) ?? 0) + by;
  if (count > 0) openOf.set(developerId, count);
  else openOf.delete(developerId);
}

/** Ends all streams, so that shutdown does not wait for browsers. */
export function endLiveStreams(): void {
  for (const end of endings) end();
}

interface About {
  projectId: string;
  device?: WatchedDevice | undefined;
}

export interface WatchedDevice {
  id: string;
  /** When it last did something in a period that the stream may have missed. */
  newestNews: (period: { from: Date; until: Date }) => Promise<Date | undefined>;
}

/**
 * Streams a project's changes while the session and membership last. With a device, also streams everything about that
 * device, which its gateway publishes only while it is watched.
 */
export function openLiveStream(platform: Platform, about: About, session: Session, outlet: Outlet): void {
  const { projectId, device } = about;
  const isOpen = () => endings.has(end);
  const end = () => {
    if (!endings.delete(end)) return;
    unsubscribe();
    forgetSessions();
    forgetAccount();
    clearInterval(heartbeat);
    clearTimeout(settling);
    stopWatching();
    countOpen(session, -1);
    outlet.end();
  };
  const send = (frame: Frame) => {
    if (!isOpen()) return;
    if (outlet.waitingBytes > unreadBytesMax) end();
    else outlet.write(frame);
  };
  const gate = checkedSend({ isOpen, send, end }, () =>
    mayListen(platform.db, projectId, session, platform.clock()),
  );
  const check = () => gate(beat);
  const unsubscribe = platform.bus.subscribe(subjectOf(projectId), heard => {
    const message = heard as LiveMessage;
    if (message.kind === 'device' && message.deviceId !== device?.id) return;
    if (message.kind === 'entry') gate(frameOf(message));
    else send(frameOf(message));
    // A removed member is notified of the removal and receives nothing after that.
    if (message.kind === 'changed' && /\/members|^\/projects\/[^/]+$/.test(message.path)) check();
  });
  const forgetSessions = onSessionsChanged(platform, session.developerId, check);
  const forgetAccount = watchAccount(platform, session.developerId, check);
  const heartbeat = setInterval(check, heartbeatMs);
  const stopWatching = device ? watch(platform, device.id) : () => undefined;
  const sayLater = afterOpening(platform, about);
  const settling = setTimeout(() => void sayLater().then(send, end), settledAfterMs);
  endings.add(end);
  countOpen(session, 1);
  outlet.onClosed(end);
  // Queried after the subscription: later changes arrive through it.
  sayOpened(platform, projectId).then(send, end);
}

const beat = new Frame('beat', '{}');

const frameOf = ({ kind, ...rest }: LiveMessage) => new Frame(kind, JSON.stringify(rest));

async function sayOpened({ db, clock }: Platform, projectId: string): Promise<Frame> {
  const nowMs = clock().getTime();
  const newest = await newestEntry(db, projectId, new Date(nowMs - dayMs));
  return frameOf({
    kind: 'opened',
    lastEntryId: newest?.id ?? null,
    lastEntryAgeMs: newest ? nowMs - newest.ts.getTime() : null,
  });
}

/** By then, everything that happened before the stream opened is stored, and every process knows what is watched. */
const settledAfterMs = 1_000;

/** Call once the stream is subscribed; returns what to send when everything from before has settled. */
function afterOpening(
  { recentChanges, clock }: Platform,
  { projectId, device }: About,
): () => Promise<Frame> {
  const [openedAt, toldAt] = [Date.now(), recentChanges.last(projectId)];
  return async () => {
    const openMs = Date.now() - openedAt;
    const until = new Date(clock().getTime() - openMs / 2);
    const from = new Date(until.getTime() - rememberedMs);
    const news = device && ((await device.newestNews({ from, until })) ?? from);
    return frameOf({
      kind: 'before',
      devicesAgeMs: Date.now() - toldAt,
      deviceAgeMs: news && clock().getTime() - news.getTime(),
    });
  };
}

interface Stream {
  isOpen: () => boolean;
  send: (frame: Frame) => void;
  end: () => void;
}

/**
 * Sends frames that only a member with a valid session may read, and checks that before sending, because a suspension
 * by another process publishes no notice. Frames that arrive during one check are sent after the next.
 */
function checkedSend({ isOpen, send, end }: Stream, mayListen: () => Promise<boolean>) {
  let waiting: Frame[] = [];
  let isAsking = false;
  async function ask(): Promise<void> {
    while (waiting.length > 0 && isOpen()) {
      const frames = waiting;
      waiting = [];
      if (!(await mayListen().catch(() => false))) end();
      for (const frame of frames) send(frame);
    }
    isAsking = false;
  }
  return (frame: Frame): void => {
    waiting.push(frame);
    if (isAsking) return;
    isAsking = true;
    void ask();
  };
}

function watch(platform: Platform, deviceId: string): () => void {
  const say = () =>
    publishWatched(platform, { deviceId, untilMs: platform.clock().getTime() + watching.forMs });
  const saying = setInterval(say, watching.everyMs);
  say();
  return () => clearInterval(saying);
}

async function mayListen(db: Db, projectId: string, session: Session, now: Date): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from developers d
    join project_members m on m.developer_id = d.id and m.project_id = ${projectId}
    join projects p on p.id = m.project_id and p.deleted_at is null
    join organizations o on o.id = d.org_id and (d.totp_active or not o.require_two_factor)
    where d.id = ${session.developerId} and not d.suspended and ${lasts(session, now)}`);
  return found !== undefined;
}
