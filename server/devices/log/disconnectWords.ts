import { type DisconnectReason, disconnectReasons } from '#contract/deviceProtocol.ts';

/** Advice for reasons where reconnecting is not enough. */
const advices: Partial<Record<DisconnectReason, string>> = {
  LOST: 'Check its power supply and network.',
  SILENT: 'Check its power supply and network, and make sure it pings within its keep-alive interval.',
  DISPLACED: 'Use one client id per device, and close unused connections.',
  SUSPENDED: 'Resume the device.',
  KEY_CHANGED: 'Update the API key on the device.',
  KEY_EXPIRED: 'Connect with the API key, or with a new temporary key.',
  RATE_EXCEEDED: 'Send fewer messages, or combine several into one.',
  TOO_LARGE: 'Send smaller messages.',
  PROTOCOL_ERROR: 'Check that the client library speaks MQTT 3.1.1.',
  TOPIC_FORBIDDEN: 'Publish only under the device’s own prefix, d/{deviceId}/.',
  SLOW: 'Read incoming messages faster, or subscribe to fewer topics.',
};

/** Why a connection ended, as a sentence; empty for an unknown reason. */
export const whyEnded = (reason: string | undefined) => (isKnown(reason) ? disconnectReasons[reason] : '');

/** What to do about it. */
export function adviceAfter(reason: string | undefined): string {
  return (isKnown(reason) ? advices[reason] : undefined) ?? 'Reconnect the device.';
}

function isKnown(reason: string | undefined): reason is DisconnectReason {
  return reason !== undefined && Object.hasOwn(disconnectReasons, reason);
}
