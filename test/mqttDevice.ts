import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import mqtt, { type IClientOptions, type IClientPublishOptions, type MqttClient } from 'mqtt';
import { type ConnectPacket, encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { until } from './until.ts';

export interface Identity {
  id: string;
  apiKey: string;
}

export interface Heard {
  /** The topic without the device's prefix. */
  topic: string;
  payload: unknown;
  retain: boolean;
  qos: number;
}

export interface MqttDevice {
  client: MqttClient;
  heard: Heard[];
  /** The next message on a topic that `next` has not returned yet. */
  next(topic: string): Promise<Heard>;
  /** Publishes; resolves when the message is acknowledged. */
  say(topic: string, value: unknown, options?: IClientPublishOptions): Promise<void>;
  listen(...filters: string[]): Promise<number[]>;
  /** Resolves when the server has closed the connection. */
  ended(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A device that uses MQTT.js, a common client. It does not reconnect automatically. */
export async function mqttDevice(
  url: string,
  { id, apiKey }: Identity,
  options: IClientOptions = {},
): Promise<MqttDevice> {
  const client = await mqtt.connectAsync(
    url,
    {
      protocolVersion: 4,
      username: id,
      password: apiKey,
      reconnectPeriod: 0,
      ...options,
    },
    false,
  );
  const heard: Heard[] = [];
  const taken = new Set<Heard>();
  const prefix = `d/${id}/`;
  client.on('message', (topic, payload, { retain, qos }) => {
    const text = payload.toString();
    heard.push({
      topic: topic.slice(prefix.length),
      payload: text === '' ? undefined : JSON.parse(text),
      retain,
      qos,
    });
  });
  client.on('error', () => undefined);
  const closed = new Promise<void>(resolve => client.once('close', resolve));
  return {
    client,
    heard,
    next: topic =>
      until(() => {
        const found = heard.find(one => one.topic === topic && !taken.has(one));
        if (found) taken.add(found);
        return found;
      }),
    async say(topic, value, given = { qos: 1 }) {
      await client.publishAsync(prefix + topic, JSON.stringify(value), given);
    },
    async listen(...filters) {
      const granted = await client.subscribeAsync(
        filters.map(filter => prefix + filter),
        { qos: 1 },
      );
      return granted.map(({ qos }) => qos);
    },
    ended: () => closed,
    async [Symbol.asyncDispose]() {
      await client.endAsync(true);
    },
  };
}

/** A raw connection that can send anything, valid or not. */
export interface RawDevice {
  socket: Socket;
  heard: Packet[];
  send(...packets: (Packet | Uint8Array)[]): void;
  next(type: Packet['type']): Promise<Packet>;
  /** Resolves when the server has closed the connection. */
  ended(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function rawDevice(url: string): Promise<RawDevice> {
  const { hostname, port } = new URL(url);
  const socket = connectSocket({ host: hostname, port: Number(port) });
  const reader = new PacketReader(16 * 1024 * 1024);
  const heard: Packet[] = [];
  const taken = new Set<Packet>();
  socket.on('data', bytes => {
    reader.push(bytes);
    for (let packet = reader.next(); packet; packet = reader.next()) heard.push(packet);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    heard,
    send(...packets) {
      for (const packet of packets)
        socket.write(packet instanceof Uint8Array ? packet : encodePacket(packet));
    },
    next: type =>
      until(() => {
        const found = heard.find(one => one.type === type && !taken.has(one));
        if (found) taken.add(found);
        return found;
      }),
    ended: () => closed,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await closed;
    },
  };
}

/** A CONNECT packet as a device sends it. */
export function connectPacket({ id, apiKey }: Identity, more: Partial<ConnectPacket> = {}): ConnectPacket {
  return {
    type: 'connect',
    clientId: 'raw',
    cleanSession: true,
    keepAliveS: 60,
    username: id,
    password: Buffer.from(apiKey),
    ...more,
  };
}
