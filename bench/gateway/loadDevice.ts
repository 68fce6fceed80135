import { connect, type Socket } from 'node:net';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';

const readMax = 1024 * 1024;

export interface Identity {
  id: string;
  key: string;
}

/** The minimal device that a load needs, so that the measuring side costs little compared with what is measured. */
export class LoadDevice {
  readonly id: string;
  onPublish: (topic: string, payload: Uint8Array) => void = () => undefined;
  readonly #socket: Socket;
  readonly #reader = new PacketReader(readMax);
  readonly #waiting = new Map<number, { done: () => void; broke: (error: Error) => void }>();
  #packetId = 0;
  #isOver = false;
  #connected: (code: number) => void = () => undefined;
  #subscribed: () => void = () => undefined;

  private constructor(id: string, socket: Socket) {
    this.id = id;
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', bytes => this.#read(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isOver = true;
      for (const { broke } of this.#waiting.values()) broke(closed());
      this.#waiting.clear();
    });
  }

  /** Resolves with its CONNACK. */
  static async connect(port: number, { id, key }: Identity, keepAliveS = 600): Promise<LoadDevice> {
    const socket = connect({ host: '127.0.0.1', port });
    const device = new LoadDevice(id, socket);
    const code = await new Promise<number>((resolve, reject) => {
      device.#connected = resolve;
      socket.once('close', () => reject(closed()));
      socket.once('connect', () =>
        device.send({
          type: 'connect',
          clientId: id,
          cleanSession: true,
          keepAliveS,
          username: id,
          password: Buffer.from(key),
        }),
      );
    });
    if (code !== 0) throw new Error(`CONNECT was refused with ${code}.`);
    return device;
  }

  send(packet: Packet): void {
    this.#socket.write(encodePacket(packet));
  }

  /** Resolves when the message is acknowledged; rejects if the connection breaks before. */
  publish(topic: string, payload: Uint8Array): Promise<void> {
    if (this.#isOver) return Promise.reject(closed());
    this.#packetId = (this.#packetId % 65_535) + 1;
    const packetId = this.#packetId;
    this.send({ type: 'publish', topic, payload, qos: 1, packetId, retain: false, dup: false });
    return new Promise((done, broke) => this.#waiting.set(packetId, { done, broke }));
  }

  subscribe(filter: string, qos: 0 | 1 = 1): Promise<void> {
    this.send({ type: 'subscribe', packetId: 1, subscriptions: [{ filter, qos }] });
    return new Promise(resolve => {
      this.#subscribed = resolve;
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(bytes: Uint8Array): void {
    this.#reader.push(bytes);
    for (let packet = this.#reader.next(); packet; packet = this.#reader.next()) {
      if (packet.type === 'puback') {
        this.#waiting.get(packet.packetId)?.done();
        this.#waiting.delete(packet.packetId);
      } else if (packet.type === 'publish') {
        if (packet.packetId !== undefined) this.send({ type: 'puback', packetId: packet.packetId });
        this.onPublish(packet.topic, packet.payload);
      } else if (packet.type === 'connack') this.#connected(packet.code);
      else if (packet.type === 'suback') this.#subscribed();
    }
  }
}

const closed = () => new Error('The connection was closed.');
