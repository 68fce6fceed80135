import type { Device } from '#contract/device.ts';
import { speaksByCalls } from '#rules/devices/speaksByCalls.ts';
import { dayMs } from '#rules/time/durations.ts';
import { adviceAfter, whyEnded } from '#server/devices/log/disconnectWords.ts';
import { adviceAfterRejection, whatRejected } from '#server/devices/log/rejectionWords.ts';
import type { Judged } from './health.ts';
import type { Facts } from './healthFacts.ts';

/** Only a later successful connection or call shows that the key is right again. */
export function key(
  { connection: { since, lastMessageAt }, connectionStatus }: Device,
  { keyRejectedAt, keyRejectedReason, rejectedAt }: Facts,
): Judged {
  if (!keyRejectedAt) return { verdict: 'ok', text: 'No connection was refused for a wrong key recently.' };
  const at = keyRejectedAt.toISOString();
  const isConnected = connectionStatus === 'connected';
  const what = keyRejectedReason === 'KEY_EXPIRED' ? 'an expired temporary key' : 'a wrong key';
  const cameSince = (since && since > at) || (!isConnected && lastMessageAt && lastMessageAt > at);
  if (cameSince)
    return {
      verdict: 'ok',
      text: `A connection with ${what} was refused; the device has connected since.`,
      at,
    };
  const advice = 'Give the device its current API key. If the key is lost, rotate it.';
  if (isConnected)
    return {
      verdict: 'warn',
      text: `While the device was connected, another connection with ${what} was refused.`,
      advice,
      at,
    };
  // A connection refused for another reason had the right key. It may have come from this device or from another one
  // with the same key.
  if (rejectedAt && rejectedAt > keyRejectedAt)
    return {
      verdict: 'warn',
      text: `A connection with ${what} was refused. A later one with the right key was refused too.`,
      advice,
      at,
    };
  return { verdict: 'fail', text: `The last connection was refused: it used ${what}.`, advice, at };
}

export function connected(device: Device, facts: Facts, now: Date): Judged {
  const { connection, connectionStatus } = device;
  const { since, reason, protocol, address, lastMessageAt } = connection;
  const at = since && { at: since };
  const rejection = rejectionSince(device, facts, now);
  if (connectionStatus === 'connected') {
    if (rejection)
      return { verdict: 'warn', ...rejection, text: `The device is connected. ${rejection.text}` };
    const by = protocol ? ` over ${protocolNames[protocol]}` : '';
    return {
      verdict: 'ok',
      text: `The device is connected${by}${address ? ` from ${address}` : ''}.`,
      ...at,
    };
  }
  if (rejection)
    return { verdict: 'fail', ...rejection, text: `The device is not connected. ${rejection.text}` };
  if (speaksByCalls(device))
    return {
      verdict: 'ok',
      text: 'The device uses HTTP and keeps no connection open.',
      ...(lastMessageAt && { at: lastMessageAt }),
    };
  if (connectionStatus === 'disconnected')
    return {
      verdict: 'fail',
      text: `The device is not connected. ${whyEnded(reason)}`.trim(),
      advice: adviceAfter(reason),
      ...at,
    };
  return {
    verdict: 'fail',
    text: 'The device has never connected.',
    advice: facts.keyRejectedAt
      ? 'Fix the key first.'
      : 'Connect with the device id as user name and the API key as password.',
  };
}

const protocolNames = { mqtt: 'MQTT', websocket: 'MQTT over WebSocket', http: 'HTTP' };

/** The last refused connection with the right key, unless a message was accepted since. */
function rejectionSince(
  { connection: { since, lastMessageAt }, connectionStatus }: Device,
  { rejectedAt, rejectedReason }: Facts,
  now: Date,
): Pick<Judged, 'text' | 'advice' | 'at'> | undefined {
  if (!rejectedAt || !rejectedReason) return undefined;
  const at = rejectedAt.toISOString();
  if (since && since > at) return undefined;
  // The device is still connected and may stay so for months, so the refusal is only shown for a day.
  if (rejectedReason === 'DISPLACED' && now.getTime() - rejectedAt.getTime() > dayMs) return undefined;
  if (connectionStatus !== 'connected' && lastMessageAt && lastMessageAt > at) return undefined;
  return {
    text: whatRejected(rejectedReason),
    advice: adviceAfterRejection(rejectedReason),
    at,
  };
}
