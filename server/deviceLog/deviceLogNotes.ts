import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { LogEntry } from '#contract/log.ts';
import type { Granted } from '#mqtt/mqttPacket.ts';
import { upTopic } from '#server/deviceFrames/topics.ts';
import { truncate } from '#server/deviceFrames/truncate.ts';
import { connectedNote, disconnectedNote } from '#server/deviceLog/connectionNotes.ts';
import { whyRejected } from '#server/deviceLog/rejectionWords.ts';
import type { LiveEvents } from '#server/devices/liveEvents.ts';
import type { Actor } from '#server/logs/append.ts';
import { SeldomByDevice } from '#server/pace/seldomByDevice.ts';
import type { Platform } from '#server/platform.ts';
import type { Session } from '#server/presence/deviceSession.ts';
import type { PresenceMarks } from '#server/presence/presenceMarks.ts';

/** What would repeat itself is noted so seldom. */
const seldomMs = 60_000;

/** A device as its log knows it. */
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

/** The system log of devices. It is written behind what happens, and keeps nobody waiting. */
export class DeviceLogNotes {
  readonly #platform: Pick<Platform, 'clock' | 'newId' | 'systemLog'>;
  readonly #liveEvents: LiveEvents;
  readonly #presenceMarks: PresenceMarks;
  readonly #seldom = new SeldomByDevice(seldomMs);

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

  /** It was turned away. */
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

  /** It sends more than it may, and is made to wait. */
  limited(device: Noted): void {
    this.#presenceMarks.limited(device);
    const text = 'Messages exceed the rate limit and are held back';
    this.#seldomly(device, 'limited', { action: 'limited', level: 1, text });
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

  /** A message of it, which came at that time, was not taken. */
  messageRefused(
    device: Noted,
    topic: string,
    { reason, message }: { reason: string; message: string },
    at: Date,
  ): void {
    const shown = truncate(topic, 200);
    const text = `Message on ${shown} rejected: ${message}`;
    const note: Note = { action: 'messageRefused', level: 1, text, detail: { topic: shown, reason } };
    // Whatever a device makes up for a name, its log has room for other things.
    this.#seldomly(device, `${reason} ${upTopic(topic)?.name ?? ''}`, note);
    // What broke a schema stands in the quarantine.
    if (reason === 'SCHEMA_BROKEN') return;
    const isFirst = this.#seldom.isFirst(device.id, 'refused', performance.now());
    this.#presenceMarks.messageRefused(device, { at, topic: shown, text: message }, isFirst);
  }

  /** It wrote to a topic that is not its own, for which its connection is ended. */
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
    // Told once it can be read as well: whoever reads in between would miss it. What is lost, the batch has logged.
    kept.then(
      () => this.#liveEvents.tell(device, 'entry', { ...entry, ts: ts.toISOString() }),
      () => undefined,
    );
  }

  /** Answers whether it is the first for a while. */
  #seldomly(device: Noted, what: string, note: Note): boolean {
    const isFirst = this.#seldom.isFirst(device.id, what, performance.now());
    if (isFirst) this.note(device, note);
    return isFirst;
  }
}
