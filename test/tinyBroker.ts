import { createServer, type Socket } from 'node:net';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { until } from './until.ts';

/**
 * The part of an MQTT gateway that a client needs to update itself: one retained topic, and a record of what it
 * publishes.
 */
export class TinyBroker {
  port = 0;
  /** The message sent on `…/target` after a subscription. */
  target: unknown = null;
  readonly published: { topic: string; json: unknown }[] = [];
  /** How many messages the clients have acknowledged. */
  acknowledged = 0;
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

  /** Sends the target again, as after a lost connection; resolves when the client has acknowledged it. */
  async tellAgain(topic: string): Promise<void> {
    const before = this.acknowledged;
    for (const socket of this.#sockets) socket.write(encodePacket(this.#told(topic)));
    await until(() => (this.acknowledged > before ? true : undefined));
  }

  #told(topic: string): Packet {
    const payload = new TextEncoder().encode(JSON.stringify(this.target));
    return { type: 'publish', topic, payload, qos: 1, retain: true, dup: false, packetId: 1 };
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const reader = new PacketReader(1024 * 1024);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
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
      return [{ type: 'suback', packetId: packet.packetId, granted: [1] }, this.#told(filter)];
    }
    if (packet.type === 'puback') this.acknowledged += 1;
    if (packet.type !== 'publish' || packet.packetId === undefined) return [];
    const json: unknown = JSON.parse(new TextDecoder().decode(packet.payload));
    this.published.push({ topic: packet.topic.split('/').slice(2).join('/'), json });
    return [{ type: 'puback', packetId: packet.packetId }];
  }
}
