import type { PacketBody } from './mqttBody.ts';
import { PacketFault } from './mqttFault.ts';
import {
  type ConnackCode,
  type ConnectPacket,
  connackCodes,
  type Granted,
  type Packet,
  type PacketType,
  type PublishPacket,
  type Qos,
  type SubscribePacket,
} from './mqttPacket.ts';
import { isTopicFilter, isTopicName } from './mqttTopic.ts';

/** Decodes the packet in a body; everything the standard forbids is a fault. */
export function decodeBody(type: PacketType, flags: number, body: PacketBody): Packet {
  const packet = decoded(type, flags, body);
  if (!body.isRead) throw new PacketFault('MALFORMED', 'The packet continues after its last field.');
  return packet;
}

function decoded(type: PacketType, flags: number, body: PacketBody): Packet {
  switch (type) {
    case 'connect':
      return connect(body);
    case 'connack':
      return connack(body);
    case 'publish':
      return publish(flags, body);
    case 'subscribe':
      return subscribe(body);
    case 'suback':
      return { type, packetId: body.packetId(), granted: atLeastOne(body, granted) };
    case 'unsubscribe':
      return { type, packetId: body.packetId(), filters: atLeastOne(body, filter) };
    case 'pingreq':
    case 'pingresp':
    case 'disconnect':
      return { type };
    default:
      return { type, packetId: body.packetId() };
  }
}

/**
 * Reads the fields in the order of section 3.1. For another protocol version, the rest is not read, because its format
 * differs.
 */
function connect(body: PacketBody): ConnectPacket {
  const protocol = body.text();
  if (protocol !== 'MQTT' && protocol !== 'MQIsdp') malformed('The protocol is not MQTT.');
  if (body.byte() !== 4 || protocol !== 'MQTT')
    throw new PacketFault('UNACCEPTABLE_VERSION', 'The protocol version is not 3.1.1.');
  const flags = body.byte();
  if (flags & 1) malformed('The reserved flag of CONNECT is set.');
  const hasWill = Boolean(flags & 4);
  const hasUsername = Boolean(flags & 0x80);
  const hasPassword = Boolean(flags & 0x40);
  if (!hasWill && flags & 0x38) malformed('CONNECT has will flags but no will.');
  if (hasPassword && !hasUsername) malformed('CONNECT has a password but no user name.');
  const willQos = qosOf((flags >> 3) & 3);
  const keepAliveS = body.twoBytes();
  const clientId = body.text();
  return {
    type: 'connect',
    clientId,
    cleanSession: Boolean(flags & 2),
    keepAliveS,
    ...(hasWill && {
      will: { topic: topicName(body), payload: body.binary(), qos: willQos, retain: Boolean(flags & 0x20) },
    }),
    ...(hasUsername && { username: body.text() }),
    ...(hasPassword && { password: body.binary() }),
  };
}

function connack(body: PacketBody): Packet {
  const flags = body.byte();
  const code = body.byte();
  if (flags > 1) malformed('A reserved flag of CONNACK is set.');
  if (!Object.values<number>(connackCodes).includes(code)) malformed('CONNACK has a reserved return code.');
  if (flags && code !== connackCodes.accepted) malformed('CONNACK refuses the connection but has a session.');
  return { type: 'connack', sessionPresent: flags === 1, code: code as ConnackCode };
}

function publish(flags: number, body: PacketBody): PublishPacket {
  const qos = qosOf((flags >> 1) & 3);
  const dup = Boolean(flags & 8);
  if (dup && qos === 0) malformed('PUBLISH is marked as a duplicate at QoS 0.');
  const topic = topicName(body);
  return {
    type: 'publish',
    topic,
    qos,
    dup,
    retain: Boolean(flags & 1),
    ...(qos > 0 && { packetId: body.packetId() }),
    payload: body.rest(),
  };
}

function subscribe(body: PacketBody): SubscribePacket {
  const packetId = body.packetId();
  const subscriptions = atLeastOne(body, () => ({ filter: filter(body), qos: qosOf(body.byte()) }));
  return { type: 'subscribe', packetId, subscriptions };
}

function granted(body: PacketBody): Granted {
  const code = body.byte();
  return code === 128 ? code : qosOf(code);
}

function filter(body: PacketBody): string {
  const text = body.text();
  if (!isTopicFilter(text)) malformed('A topic filter is not valid.');
  return text;
}

function atLeastOne<T>(body: PacketBody, read: (body: PacketBody) => T): T[] {
  const found = [read(body)];
  while (!body.isRead) found.push(read(body));
  return found;
}

function topicName(body: PacketBody): string {
  const topic = body.text();
  if (!isTopicName(topic)) throw new PacketFault('TOPIC', 'A topic is empty or contains a wildcard.');
  return topic;
}

function qosOf(value: number): Qos {
  if (value !== 0 && value !== 1 && value !== 2)
    throw new PacketFault('MALFORMED', `QoS ${value} does not exist.`);
  return value;
}

function malformed(message: string): never {
  throw new PacketFault('MALFORMED', message);
}
