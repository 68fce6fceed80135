/** The packets of MQTT 3.1.1 (OASIS standard, section 3): their fields and their encoding. */
export type Packet =
  | ConnectPacket
  | { type: 'connack'; sessionPresent: boolean; code: ConnackCode }
  | PublishPacket
  | { type: 'puback' | 'pubrec' | 'pubrel' | 'pubcomp' | 'unsuback'; packetId: number }
  | SubscribePacket
  | { type: 'suback'; packetId: number; granted: Granted[] }
  | { type: 'unsubscribe'; packetId: number; filters: string[] }
  | { type: 'pingreq' | 'pingresp' | 'disconnect' };

export type PacketType = Packet['type'];
export type Qos = 0 | 1 | 2;
/** 128: refused. */
export type Granted = Qos | 128;

export interface ConnectPacket {
  type: 'connect';
  clientId: string;
  cleanSession: boolean;
  /** 0: no keep-alive. */
  keepAliveS: number;
  username?: string;
  password?: Uint8Array;
  will?: Will;
}

export interface Will {
  topic: string;
  payload: Uint8Array;
  qos: Qos;
  retain: boolean;
}

export interface PublishPacket {
  type: 'publish';
  topic: string;
  payload: Uint8Array;
  qos: Qos;
  retain: boolean;
  dup: boolean;
  /** Only with QoS 1 and 2. */
  packetId?: number;
}

export interface SubscribePacket {
  type: 'subscribe';
  packetId: number;
  subscriptions: { filter: string; qos: Qos }[];
}

/** The return codes of CONNACK (3.2.2.3). */
export const connackCodes = {
  accepted: 0,
  unacceptableVersion: 1,
  identifierRejected: 2,
  serverUnavailable: 3,
  badCredentials: 4,
  notAuthorized: 5,
} as const;
export type ConnackCode = (typeof connackCodes)[keyof typeof connackCodes];

/** The index is the number in the first byte. */
export const packetTypes = [
  undefined,
  'connect',
  'connack',
  'publish',
  'puback',
  'pubrec',
  'pubrel',
  'pubcomp',
  'subscribe',
  'suback',
  'unsubscribe',
  'unsuback',
  'pingreq',
  'pingresp',
  'disconnect',
] as const satisfies readonly (PacketType | undefined)[];

const utf8 = new TextEncoder();
const textBytesMax = 0xffff;

/** Encodes a packet for the wire. */
export function encodePacket(packet: Packet): Uint8Array {
  const body = bodyOf(packet);
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const header = headerOf(packet, length);
  const bytes = new Uint8Array(header.length + length);
  bytes.set(header);
  let at = header.length;
  for (const part of body) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

type Bytes = Uint8Array | readonly number[];

function headerOf(packet: Packet, length: number): number[] {
  const header = [(packetTypes.indexOf(packet.type) << 4) | flagsOf(packet)];
  let rest = length;
  do {
    header.push((rest % 128) | (rest > 127 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  if (header.length > 5) throw new RangeError('The packet is too long for MQTT.');
  return header;
}

function flagsOf(packet: Packet): number {
  if (packet.type === 'publish') return (packet.dup ? 8 : 0) | (packet.qos << 1) | (packet.retain ? 1 : 0);
  return reservedFlags(packet.type);
}

/** The four flag bits of packet types for which they are reserved (2.2.2). */
export function reservedFlags(type: PacketType): number {
  return type === 'pubrel' || type === 'subscribe' || type === 'unsubscribe' ? 2 : 0;
}

function bodyOf(packet: Packet): Bytes[] {
  switch (packet.type) {
    case 'connect':
      return connectBody(packet);
    case 'connack':
      return [[packet.sessionPresent ? 1 : 0, packet.code]];
    case 'publish':
      return [text(packet.topic), packet.qos === 0 ? [] : twoBytes(packet.packetId ?? 0), packet.payload];
    case 'subscribe':
      return [
        twoBytes(packet.packetId),
        ...packet.subscriptions.flatMap(({ filter, qos }) => [text(filter), [qos]]),
      ];
    case 'suback':
      return [twoBytes(packet.packetId), packet.granted];
    case 'unsubscribe':
      return [twoBytes(packet.packetId), ...packet.filters.map(text)];
    case 'pingreq':
    case 'pingresp':
    case 'disconnect':
      return [];
    default:
      return [twoBytes(packet.packetId)];
  }
}

function connectBody({
  clientId,
  cleanSession,
  keepAliveS,
  username,
  password,
  will,
}: ConnectPacket): Bytes[] {
  const flags =
    (username === undefined ? 0 : 0x80) |
    (password === undefined ? 0 : 0x40) |
    (will ? 4 | (will.qos << 3) | (will.retain ? 0x20 : 0) : 0) |
    (cleanSession ? 2 : 0);
  return [
    text('MQTT'),
    [4, flags],
    twoBytes(keepAliveS),
    text(clientId),
    ...(will ? [text(will.topic), binary(will.payload)] : []),
    ...(username === undefined ? [] : [text(username)]),
    ...(password === undefined ? [] : [binary(password)]),
  ];
}

function twoBytes(value: number): number[] {
  return [value >> 8, value & 0xff];
}

function text(value: string): Uint8Array {
  return binary(utf8.encode(value));
}

function binary(value: Uint8Array): Uint8Array {
  if (value.length > textBytesMax) throw new RangeError('The field is too long for MQTT.');
  const bytes = new Uint8Array(value.length + 2);
  bytes[0] = value.length >> 8;
  bytes[1] = value.length & 0xff;
  bytes.set(value, 2);
  return bytes;
}
