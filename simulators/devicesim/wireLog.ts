import { createStore } from '#console/store.ts';
import type { Packet } from '#mqtt/mqttPacket.ts';
import type { Device, WireEntry } from '#sdk/device.ts';

/** A packet as it is shown. */
export interface WireLine {
  key: number;
  at: Date;
  way: WireEntry['way'];
  /** `PUBLISH`, or what else it is. */
  kind: string;
  /** The topic without the device's prefix, or what else there is to say. */
  about: string;
  payload: string;
  bytes: number;
}

const linesMax = 1_000;
/** In characters; more of it nobody reads here. */
const payloadMax = 10_000;
const drawEveryMs = 100;
const text = new TextDecoder();

/** The latest packets. Drawn a few times a second at most, however many come. */
export class WireLog {
  readonly lines = createStore<readonly WireLine[]>([]);
  readonly #prefix: string;
  #fresh: WireLine[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  constructor(device: Device) {
    this.#prefix = `d/${device.id}/`;
    device.onWire(entry => this.#take(entry));
  }

  clear(): void {
    this.#fresh = [];
    this.lines.set([]);
  }

  #take({ at, way, packet, bytes }: WireEntry): void {
    const payload = packet.type === 'publish' ? shortened(text.decode(packet.payload)) : '';
    const key = ++this.#count;
    const kind = packet.type.toUpperCase();
    this.#fresh.push({ key, at, way, kind, about: aboutOf(packet, this.#prefix), payload, bytes });
    this.#timer ??= setTimeout(() => this.#draw(), drawEveryMs);
  }

  #draw(): void {
    this.#timer = undefined;
    this.lines.set([...this.lines.get(), ...this.#fresh].slice(-linesMax));
    this.#fresh = [];
  }
}

function shortened(payload: string): string {
  return payload.length > payloadMax ? `${payload.slice(0, payloadMax)}…` : payload;
}

function aboutOf(packet: Packet, prefix: string): string {
  switch (packet.type) {
    case 'publish':
      return packet.topic.replace(prefix, '') + (packet.dup ? ' (again)' : '');
    case 'connect':
      return `client id ${packet.clientId}, keep-alive ${packet.keepAliveS} s`;
    case 'connack':
      return packet.code === 0 ? 'accepted' : `refused with ${packet.code}`;
    case 'subscribe':
      return packet.subscriptions.map(({ filter }) => filter.replace(prefix, '')).join(', ');
    case 'suback':
      return `granted ${packet.granted.join(', ')}`;
    default:
      return 'packetId' in packet ? `packet ${packet.packetId}` : '';
  }
}

/** A line as text, for the clipboard. */
export function wireText({ at, way, kind, about, payload }: WireLine): string {
  return [at.toISOString(), way === 'up' ? '→' : '←', kind, about, payload].filter(Boolean).join(' ');
}
