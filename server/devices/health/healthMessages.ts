import type { Device } from '#contract/device.ts';
import { subscriptionsMax } from '#contract/deviceWire.ts';
import type { Judged } from './health.ts';
import type { Facts } from './healthFacts.ts';

const dayMs = 86_400_000;

/** Whether anything comes in, and whether it can be taken. */
export function messages(device: Device, facts: Facts, now: Date): Judged {
  const { connection, connectionStatus } = device;
  const { lastMessageAt } = connection;
  const refused = refusalOf(device, facts);
  if (refused?.isLast)
    return {
      verdict: 'fail',
      text: `Its last message was not taken. ${refused.text}`,
      advice:
        'The device is told so too: in the answer to its call, on d/{its id}/rejected, or state/rejected.',
      at: refused.at,
    };
  const isConnected = connectionStatus === 'connected';
  if (!lastMessageAt)
    return isConnected
      ? {
          verdict: 'warn',
          text: 'It is connected and has sent nothing yet.',
          advice: 'Let it report its state.',
        }
      : { verdict: 'unknown', text: 'It has sent nothing yet.' };
  const at = lastMessageAt;
  if (isConnected && now.getTime() - Date.parse(at) > dayMs)
    return {
      verdict: 'warn',
      text: 'It is connected and has sent nothing for more than a day.',
      advice: 'Look whether its program still runs.',
      at,
    };
  const isRecent = refused && now.getTime() - Date.parse(refused.at) < dayMs;
  const before = isRecent ? ` One before it was not taken. ${refused.text}` : '';
  return { verdict: 'ok', text: `Its last message came in.${before}`, at };
}

/** A message is marked with the time it came: a later one that was taken has a later time. */
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

/** With its next connection it subscribes anew: a refusal before that is over. */
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
  if (isOver) return { verdict: 'ok', text: 'No subscription of it was refused lately.' };
  return {
    verdict: 'warn',
    text: `A subscription of it was refused: ${subscriptionRefusedFilter}.`,
    advice: `Let it subscribe below its own prefix d/{its id}/ alone, and to ${subscriptionsMax} filters at most.`,
    at: subscriptionRefusedAt.toISOString(),
  };
}
