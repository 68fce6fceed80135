import { type DisconnectReason, disconnectReasons } from '#contract/deviceWire.ts';
import { type ConnackCode, connackCodes } from '#mqtt/mqttPacket.ts';

/** Why an attempt failed or a connection ended: reasons from the gateway, and reasons detected locally. */
const endReasons = {
  ...disconnectReasons,
  UNREACHABLE: 'Nothing answers at this address, or something in between blocks WebSockets.',
  NO_ANSWER: 'The gateway did not answer in time.',
  WRONG_KEY: 'The device id or its key is wrong, or the key has expired.',
  NOT_ALLOWED: 'The gateway refused the device: it is suspended.',
  UNAVAILABLE: 'The gateway cannot accept connections right now.',
  REFUSED: 'The gateway rejected the request.',
} as const;

export type EndReason = keyof typeof endReasons;

/** The reason as a sentence. */
export function endSentence(reason: EndReason): string {
  return endReasons[reason];
}

/** Reasons that an immediate retry would only repeat. */
const standing = new Set<EndReason>([
  'WRONG_KEY',
  'NOT_ALLOWED',
  'REFUSED',
  'TAKEN_OVER',
  'SUSPENDED',
  'DELETED',
  'KEY_CHANGED',
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

/** The gateway closes with a sentence, which is mapped back to its reason. */
export function closeReason(said: string | undefined): DisconnectReason {
  const reasons = Object.keys(disconnectReasons) as DisconnectReason[];
  return reasons.find(reason => disconnectReasons[reason] === said) ?? 'LOST';
}
