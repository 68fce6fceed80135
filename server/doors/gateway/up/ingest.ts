import type { LogRequestStatusFrame } from '#contract/deviceProtocol.ts';
import type { Qos } from '#mqtt/mqttPacket.ts';
import { SchemaCache } from '#server/classes/deviceClasses/classSchemas.ts';
import { Quarantine } from '#server/classes/deviceClasses/quarantine/storeQuarantine.ts';
import { type Frame, isRefusal, type Refusal, readFrame, refuse } from '#server/classes/frames/frames.ts';
import { type UpTopic, upTopic } from '#server/classes/frames/topics.ts';
import type { StageRecorder } from '#server/devices/commands/recordStages.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { Events } from '#server/devices/events/storeEvents.ts';
import type { DeviceLogNotes } from '#server/devices/log/deviceLogNotes.ts';
import { publishLogLine } from '#server/devices/log/logLines.ts';
import { recordLogRequestStatus } from '#server/devices/logRequests/askDevice.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import type { PresenceMarks } from '#server/devices/presence/presenceMarks.ts';
import { Reports } from '#server/devices/reports/storeReports.ts';
import { Entities } from '#server/devices/state/storeEntities.ts';
import { States } from '#server/devices/state/storeReported.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { count, observe } from '#server/infra/metrics.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { MessageCounts } from './messageCounts.ts';

/**
 * The most messages waiting to be stored across all devices, before reading is paused for any device that has
 * one waiting.
 */
const waitingBytesMax = 64 * 1024 * 1024;
/** The most log requests stored at once, because each is a separate transaction. */
const logRequestsMax = 4;

export interface Message {
  /** Without the device's prefix. */
  topic: string;
  payload: Uint8Array;
  qos: Qos;
}

/** The outcome of a message, immediately or once it is stored. */
type Kept = Promise<Refusal | undefined> | Refusal | undefined;

/** A device that sends messages, over any protocol. */
export type Sender = Pick<ConnectedDevice, 'id' | 'projectId' | 'deviceClass' | 'displayName'>;

interface LogRequestSaid {
  key: { projectId: string; deviceId: string; requestId: string };
  status: LogRequestStatusFrame;
}

type Parts = {
  liveEvents: LiveEvents;
  notes: DeviceLogNotes;
  presenceMarks: PresenceMarks;
  traffic: MessageCounts;
  commands: StageRecorder;
};

/** Parses and validates device messages, and passes them on to be stored. */
export class Ingest {
  readonly #platform: Platform;
  readonly #parts: Parts;
  readonly #events: Events;
  readonly #states: States;
  readonly #reports: Reports;
  readonly #entities: Entities;
  readonly #logRequests: GroupCommit<LogRequestSaid, boolean>;
  #waitingBytes = 0;

  constructor(platform: Platform, parts: Parts) {
    this.#platform = platform;
    this.#parts = parts;
    const schemas = new SchemaCache();
    const checking = { schemas, liveEvents: parts.liveEvents, quarantine: new Quarantine() };
    this.#events = new Events(platform, checking);
    this.#states = new States(platform, checking);
    this.#reports = new Reports(platform, parts);
    this.#entities = new Entities(platform);
    this.#logRequests = new GroupCommit({
      name: 'logRequests',
      run: all => Promise.all(all.map(({ key, status }) => recordLogRequestStatus(platform, key, status))),
      itemsMax: logRequestsMax,
      patient: true,
    });
  }

  get isFull(): boolean {
    return this.#waitingBytes > waitingBytesMax;
  }

  /** Resolves when the message can be acknowledged: it was stored, or rejected with a reason. */
  async take(device: Sender, message: Message): Promise<Refusal | undefined> {
    const { length } = message.payload;
    this.#parts.traffic.in(device, length);
    const beganMs = performance.now();
    const at = this.#platform.clock();
    this.#parts.presenceMarks.message(device, at);
    this.#waitingBytes += length;
    try {
      const refusal = await this.#store(device, message);
      observe('mooring_gateway_message_seconds', {}, performance.now() - beganMs);
      if (refusal) count('mooring_gateway_rejected_total', { reason: refusal.reason });
      if (refusal) this.#parts.notes.messageRefused(device, message.topic, refusal, at);
      return refusal;
    } finally {
      this.#waitingBytes -= length;
    }
  }

  /** Resolves when every accepted message is stored. */
  async stop(): Promise<void> {
    const all = [this.#events, this.#states, this.#reports, this.#entities, this.#logRequests];
    await Promise.all(all.map(one => one.stop()));
  }

  #store(device: Sender, { topic, payload, qos }: Message): Kept {
    const found = upTopic(topic);
    if (!found) return refuse('TOPIC_UNKNOWN');
    if (qos > 0 && found.name === 'log') return refuse('QOS_REFUSED');
    const frame = readFrame(found.name, payload);
    return isRefusal(frame) ? frame : this.#handOn(device, found, frame);
  }

  #handOn(device: Sender, { name, value }: UpTopic, frame: Frame): Kept {
    switch (name) {
      case 'event':
        return this.#events.take(device, value, frame);
      case 'state':
        return this.#states.take(device, frame);
      case 'installed':
      case 'progress':
        return this.#reports.take(device, name, frame);
      case 'entities':
        return this.#entities.take(device, frame);
      case 'result':
        return this.#parts.commands.answer(device, value, frame);
      case 'logRequestStatus':
        return this.#recordLogRequest(device, value, frame);
      case 'log':
        publishLogLine(this.#platform, this.#parts.liveEvents, device, frame);
        return undefined;
    }
  }

  async #recordLogRequest(
    { projectId, id }: Sender,
    requestId: string,
    { value }: Frame,
  ): Promise<Refusal | undefined> {
    const key = { projectId, deviceId: id, requestId };
    const isNoted = await this.#logRequests.add({ key, status: value as LogRequestStatusFrame });
    return isNoted ? undefined : refuse('LOG_REQUEST_NOT_FOUND');
  }
}
