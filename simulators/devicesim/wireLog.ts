import type { Packet } from '#mqtt/mqttPacket.ts';
import type { Device, WireEntry } from '#sdk/device.ts';
import { type WireLine, WireLines } from '../shared/wireLines.ts';

/** A packet as a line of traffic. */
export interface PacketLine extends WireLine {
  bytes: number;
}

const text = new TextDecoder();

/** The latest packets. */
export class WireLog extends WireLines<PacketLine> {
  readonly #prefix: string;

  constructor(device: Device) {
    super();
    this.#prefix = `d/${device.id}/`;
    device.onWire(entry => this.#take(entry));
  }

  #take({ at, way, packet, bytes }: WireEntry): void {
    const payload = packet.type === 'publish' ? text.decode(packet.payload) : '';
    const about = aboutOf(packet, this.#prefix);
    this.add({ at, way, kind: packet.type.toUpperCase(), about, payload, bytes });
  }
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
