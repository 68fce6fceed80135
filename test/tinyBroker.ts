import { createServer, type Socket } from 'node:net';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';

/**
 * The part of an MQTT gateway that a client needs to update itself: one retained topic, and a record of what it
 * publishes.
 */
export class TinyBroker {
  port = 0;
  /** The message sent on `…/target` after a subscription. */
  target: unknown = null;
  readonly published: { topic: string; json: unknown }[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer(socket => this.#serve(socket));

  async open(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.port = address && typeof address === 'object' ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const reader = new PacketReader(1024 * 1024);
    socket.on('error', () => socket.destroy());
    socket.on('data', bytes => {
      reader.push(bytes);
      for (let packet = reader.next(); packet; packet = reader.next())
        for (const answer of this.#answers(packet)) socket.write(encodePacket(answer));
    });
  }

  #answers(packet: Packet): Packet[] {
    if (packet.type === 'connect') return [{ type: 'connack', sessionPresent: false, code: 0 }];
    if (packet.type === 'pingreq') return [{ type: 'pingresp' }];
    if (packet.type === 'subscribe') {
      const [{ filter = '' } = {}] = packet.subscriptions;
      const payload = new TextEncoder().encode(JSON.stringify(this.target));
      const given = { qos: 1, retain: true, dup: false, packetId: 1 } as const;
      return [
        { type: 'suback', packetId: packet.packetId, granted: [1] },
        { type: 'publish', topic: filter, payload, ...given },
      ];
    }
    if (packet.type !== 'publish' || packet.packetId === undefined) return [];
    const json: unknown = JSON.parse(new TextDecoder().decode(packet.payload));
    this.published.push({ topic: packet.topic.split('/').slice(2).join('/'), json });
    return [{ type: 'puback', packetId: packet.packetId }];
  }
}
