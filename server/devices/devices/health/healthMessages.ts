import type { Device } from '#contract/device.ts';
import { subscriptionsMax } from '#rules/devices/gatewayLimits.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { Judged } from './health.ts';
import type { Facts } from './healthFacts.ts';

/** Whether messages arrive and are accepted. */
export function messages(device: Device, facts: Facts, now: Date): Judged {
  const { connection, connectionStatus } = device;
  const { lastMessageAt } = connection;
  const refused = refusalOf(device, facts);
  if (refused?.isLast)
    return {
      verdict: 'fail',
      text: `The last message was rejected. ${refused.text}`,
      advice:
        'The device is also notified, in the HTTP response or on d/{deviceId}/rejected or state/rejected.',
      at: refused.at,
    };
  const isConnected = connectionStatus === 'connected';
  if (!lastMessageAt)
    return isConnected
      ? {
          verdict: 'warn',
          text: 'The device is connected but has not sent anything yet.',
          advice: 'Report the state of the device.',
        }
      : { verdict: 'unknown', text: 'The device has not sent anything yet.' };
  const at = lastMessageAt;
  if (isConnected && now.getTime() - Date.parse(at) > dayMs)
    return {
      verdict: 'warn',
      text: 'The device is connected but has not sent anything for more than a day.',
      advice: 'Check that its program is still running.',
      at,
    };
  const isRecent = refused && now.getTime() - Date.parse(refused.at) < dayMs;
  const before = isRecent ? ` An earlier one was rejected. ${refused.text}` : '';
  return { verdict: 'ok', text: `The last message was received.${before}`, at };
}

/** Messages are marked with their time of arrival: an accepted message after a rejected one supersedes it. */
function refusalOf({ connection: { lastMessageAt } }: Device, facts: Facts) {
  const { messageRefusedAt, messageRefusedTopic, messageRefusedText } = facts;
  if (!messageRefusedAt) return undefined;
  const at = messageRefusedAt.toISOString();
  return {
    at,
    isLast: !lastMessageAt || lastMessageAt <= at,
    text: `${messageRefusedTopic}: ${messageRefusedText}`,
  };
}

/** The next connection subscribes again and supersedes a rejected subscription. */
export function subscriptions(
  { connection: { since }, connectionStatus }: Device,
  { subscriptionRefusedAt, subscriptionRefusedFilter }: Facts,
  now: Date,
): Judged {
  const isOver =
    !subscriptionRefusedAt ||
    (connectionStatus === 'connected'
      ? since !== undefined && since > subscriptionRefusedAt.toISOString()
      : now.getTime() - subscriptionRefusedAt.getTime() > dayMs);
  if (isOver) return { verdict: 'ok', text: 'No subscription was rejected recently.' };
  return {
    verdict: 'warn',
    text: `A subscription was rejected: ${subscriptionRefusedFilter}.`,
    advice: `Subscribe only under the device’s own prefix, d/{deviceId}/, and to at most ${subscriptionsMax} filters.`,
    at: subscriptionRefusedAt.toISOString(),
  };
}
