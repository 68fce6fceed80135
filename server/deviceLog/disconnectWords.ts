import { type DisconnectReason, disconnectReasons } from '#contract/deviceProtocol.ts';

/** Where there is more to do than to connect again. */
const advices: Partial<Record<DisconnectReason, string>> = {
  LOST: 'Look at its power and its network.',
  SILENT: 'Look at its power and its network, and let it ping within its keep-alive time.',
  SUSPENDED: 'Resume it.',
  KEY_CHANGED: 'Give it its present API key.',
  KEY_EXPIRED: 'Let it connect with its API key, or with a new temporary key.',
  RATE_EXCEEDED: 'Let it send less, or gather what it has to say.',
  TOO_LARGE: 'Let it send smaller messages.',
  PROTOCOL_ERROR: 'Let it speak MQTT 3.1.1.',
  TOPIC_FORBIDDEN: 'Let it write below its own prefix d/{its id}/ alone.',
  SLOW: 'Let it read what it subscribed to, or subscribe to less.',
};

/** Why a connection ended, in a sentence; empty for a reason that nobody knows. */
export const whyEnded = (reason: string | undefined) => (isKnown(reason) ? disconnectReasons[reason] : '');

/** What to do about it. */
export function adviceAfter(reason: string | undefined): string {
  return (isKnown(reason) ? advices[reason] : undefined) ?? 'Let it connect again.';
}

function isKnown(reason: string | undefined): reason is DisconnectReason {
  return reason !== undefined && Object.hasOwn(disconnectReasons, reason);
}
