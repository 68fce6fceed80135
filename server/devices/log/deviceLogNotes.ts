import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { LogEntry } from '#contract/log.ts';
import type { Granted } from '#mqtt/mqttPacket.ts';
import { connectBurst, connectEveryS } from '#rules/devices/gatewayLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { upTopic } from '#server/classes/frames/topics.ts';
import { truncate } from '#server/classes/frames/truncate.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import type { Session } from '#server/devices/presence/deviceSession.ts';
import type { PresenceMarks } from '#server/devices/presence/presenceMarks.ts';
import { DeviceRepeatThrottle } from '#server/infra/pace/deviceRepeatThrottle.ts';
import type { Platform } from '#server/infra/platform.ts';
import { connectedNote, disconnectedNote } from './connectionNotes.ts';
import { whyRejected } from './rejectionWords.ts';

/** Throttling interval for repeated notes. */
const seldomMs = minuteMs;

/** The device a note is about. */
export interface Noted {
  id: string;
  projectId: string;
  displayName: string;
}

interface Note {
  action: string;
  text: string;
  level: LogEntry['level'];
  detail?: Record<string, unknown>;
  ts?: Date;
  actor?: Actor;
}

/** Writes the system log of devices asynchronously; callers never wait for it. */
export class DeviceLogNotes {
  readonly #platform: Pick<Platform, 'clock' | 'newId' | 'systemLog'>;
  readonly #liveEvents: LiveEvents;
  readonly #presenceMarks: PresenceMarks;
  readonly #seldom = new DeviceRepeatThrottle(seldomMs);

  constructor(
    platform: Pick<Platform, 'clock' | 'newId' | 'systemLog'>,
    { liveEvents, presenceMarks }: { liveEvents: LiveEvents; presenceMarks: PresenceMarks },
  ) {
    this.#platform = platform;
    this.#liveEvents = liveEvents;
    this.#presenceMarks = presenceMarks;
  }

  connected({ device, clientId, protocol, address, number, credential }: Session, ts: Date): void {
    const temporary = credential.until !== undefined;
    this.note(device, { ...connectedNote({ clientId, protocol, address, number, temporary }), ts });
  }

  disconnected({ device, clientId, number, fault }: Session, reason: DisconnectReason, ts: Date): void {
    this.note(device, { ...disconnectedNote({ clientId, number, reason, fault }), ts });
  }

  /** A connection was refused. */
  rejected(device: Noted, reason: string, address: string): void {
    this.#presenceMarks.rejected(device, reason);
    const text = `Rejected: ${whyRejected(reason)}`;
    this.#seldomly(device, `rejected ${reason}`, {
      action: 'rejected',
      level: 1,
      text,
      detail: { reason, address },
    });
  }

  /** A newer connection replaced this one; the gateway that held it notes its end. */
  displaced(device: Noted): void {
    this.#presenceMarks.rejected(device, 'DISPLACED');
  }

  /** The device exceeded its rate limit and is throttled. */
  limited(device: Noted): void {
    this.#presenceMarks.limited(device);
    const text = 'Messages exceed the rate limit and are held back';
    this.#seldomly(device, 'limited', { action: 'limited', level: 1, text });
  }

  /** The device connects too often: the connection waits or is refused. */
  connectsLimited(device: Noted): void {
    const text = `The device connects too often: connections beyond ${connectBurst} wait for one every ${connectEveryS} s, or are refused`;
    this.#seldomly(device, 'connectsLimited', { action: 'connectsLimited', level: 1, text });
  }

  subscriptionRefused(
    device: Noted,
    asked: readonly { filter: string }[],
    granted: readonly Granted[],
  ): void {
    const refused = asked.filter((_, at) => granted[at] === 128).map(({ filter }) => truncate(filter, 200));
    const text = `Subscription rejected: ${refused.slice(0, 3).join(', ')}`;
    const note: Note = {
      action: 'subscriptionRefused',
      level: 1,
      text,
      detail: { filters: refused.slice(0, 20) },
    };
    const isFirst = this.#seldomly(device, 'subscription', note);
    this.#presenceMarks.subscriptionRefused(device, refused[0] ?? '', isFirst);
  }

  /** A message received at the given time was rejected. */
  messageRefused(
    device: Noted,
    topic: string,
    { reason, message }: { reason: string; message: string },
    at: Date,
  ): void {
    const shown = truncate(topic, 200);
    const text = `Message on ${shown} rejected: ${message}`;
    const note: Note = { action: 'messageRefused', level: 1, text, detail: { topic: shown, reason } };
    // Topics are chosen by the device, so they are not part of the throttling key: otherwise made-up names
    // could flood the log.
    this.#seldomly(device, `${reason} ${upTopic(topic)?.name ?? ''}`, note);
    // Schema violations are recorded in the quarantine instead.
    if (reason === 'SCHEMA_BROKEN') return;
    const isFirst = this.#seldom.isFirst(device.id, 'refused', performance.now());
    this.#presenceMarks.messageRefused(device, { at, topic: shown, text: message }, isFirst);
  }

  /** The device published to a foreign topic, which closes its connection. */
  foreignTopic(device: Noted, topic: string): void {
    const text = 'The topic is not under the device’s own prefix.';
    const at = this.#platform.clock();
    this.#presenceMarks.messageRefused(device, { at, topic: truncate(topic, 200), text }, true);
  }

  note(device: Noted, { ts = this.#platform.clock(), actor, ...rest }: Note): void {
    const id = this.#platform.newId('log', ts);
    const entry = {
      id,
      actor: actor ?? { callerType: 'device' as const, id: device.id, displayName: device.displayName },
      ...rest,
    };
    const kept = this.#platform.systemLog.append({
      ...entry,
      ts,
      projectId: device.projectId,
      stream: 'system',
      subject: device.id,
    });
    // Notified after the write, so that a console that reads in between does not miss the entry. Lost entries
    // are logged by the batch.
    kept.then(
      () => this.#liveEvents.publish(device, 'entry', { ...entry, ts: ts.toISOString() }),
      () => undefined,
    );
  }

  /** Whether it is the first of its kind within the interval. */
  #seldomly(device: Noted, what: string, note: Note): boolean {
    const isFirst = this.#seldom.isFirst(device.id, what, performance.now());
    if (isFirst) this.note(device, note);
    return isFirst;
  }
}
