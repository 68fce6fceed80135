import { type DisconnectReason, disconnectReasons } from '#contract/deviceWire.ts';
import { type ConnackCode, connackCodes } from '#mqtt/mqttPacket.ts';

/** Why an attempt failed or a connection ended: what the gateway says, and what is seen from here. */
const endReasons = {
  ...disconnectReasons,
  UNREACHABLE: 'Nothing answers at this address, or something on the way does not let WebSockets through.',
  NO_ANSWER: 'The gateway did not answer in time.',
  WRONG_KEY: 'The device id or its key is wrong, or the key has expired.',
  NOT_ALLOWED: 'The gateway does not let the device in: it is suspended, or has too many connections.',
  UNAVAILABLE: 'The gateway cannot take a connection just now.',
  REFUSED: 'The gateway refused what the device asked for.',
} as const;

export type EndReason = keyof typeof endReasons;

/** In a sentence. */
export function endSentence(reason: EndReason): string {
  return endReasons[reason];
}

/** What a second attempt right away would only repeat. */
const standing = new Set<EndReason>([
  'WRONG_KEY',
  'NOT_ALLOWED',
  'REFUSED',
  'TAKEN_OVER',
  'TOO_LARGE',
  'PROTOCOL_ERROR',
  'TOPIC_FORBIDDEN',
]);

export function isStanding(reason: EndReason): boolean {
  return standing.has(reason);
}

export function refusalReason(code: ConnackCode): EndReason {
  if (code === connackCodes.badCredentials) return 'WRONG_KEY';
  if (code === connackCodes.notAuthorized) return 'NOT_ALLOWED';
  return code === connackCodes.serverUnavailable ? 'UNAVAILABLE' : 'REFUSED';
}

/** The gateway says it in its own sentence as it closes. */
export function closeReason(said: string | undefined): DisconnectReason {
  const reasons = Object.keys(disconnectReasons) as DisconnectReason[];
  return reasons.find(reason => disconnectReasons[reason] === said) ?? 'LOST';
}
