import type { Device } from '#contract/device.ts';
import type { DeviceHealth } from '#contract/deviceHealth.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { connected, key } from './healthConnection.ts';
import type { Facts } from './healthFacts.ts';
import { messages, subscriptions } from './healthMessages.ts';

type Layer = DeviceHealth['layers'][number];
export type Judged = Omit<Layer, 'id'>;

/** Lists the layers from the platform to the device; start with the first one that is not healthy. */
export function healthOf(device: Device, facts: Facts, now: Date): DeviceHealth {
  const judges: Record<Layer['id'], (device: Device, facts: Facts, now: Date) => Judged> = {
    gateway,
    suspended,
    key,
    connected,
    messages,
    subscriptions,
    rate,
    schema,
    commands,
  };
  const ids = Object.keys(judges) as Layer['id'][];
  return { layers: ids.map(id => ({ id, ...judges[id](device, facts, now) })) };
}

function gateway(_: Device, { hasGateway }: Facts): Judged {
  if (hasGateway) return { verdict: 'ok', text: 'A gateway is running.' };
  return {
    verdict: 'fail',
    text: 'No gateway is running, so no device can connect.',
    advice: 'Start the platform with the gateway role. Devices reconnect by themselves.',
  };
}

function suspended({ suspended: isSuspended }: Device): Judged {
  if (!isSuspended) return { verdict: 'ok', text: 'The device is not suspended.' };
  return {
    verdict: 'fail',
    text: 'The device is suspended, so its connections are refused.',
    advice: 'Resume the device.',
  };
}

function rate({ connection, connectionStatus }: Device, { limitedAt }: Facts, now: Date): Judged {
  const isCutOff = connectionStatus === 'disconnected' && connection.reason === 'RATE_EXCEEDED';
  const isRecent = limitedAt !== null && now.getTime() - limitedAt.getTime() < dayMs;
  if (!isCutOff && !isRecent) return { verdict: 'ok', text: 'The message rate is within the limit.' };
  return {
    verdict: isCutOff ? 'fail' : 'warn',
    text: isCutOff
      ? 'The device exceeded its message rate for too long and was disconnected.'
      : 'The device exceeded its message rate and was throttled.',
    advice: 'Send fewer messages, or combine several into one.',
    ...(limitedAt && { at: limitedAt.toISOString() }),
  };
}

function schema(_: Device, { hasSchemas, quarantined, quarantinedAt }: Facts): Judged {
  if (quarantined === 0)
    return {
      verdict: 'ok',
      text: hasSchemas
        ? 'Every message of the last 24 hours matches the schemas of the class.'
        : 'The class has no schemas.',
    };
  return {
    verdict: 'warn',
    text: `In the last 24 hours, ${many(quarantined, 'message')} violated a schema of the class and ${quarantined === 1 ? 'was' : 'were'} quarantined.`,
    advice: 'Review them in the quarantine of the class, then fix the device or the schema.',
    ...(quarantinedAt && { at: quarantinedAt.toISOString() }),
  };
}

function commands(
  device: Device,
  { queued, queuedAt, unanswered, waiting, sentAt }: Facts,
  now: Date,
): Judged {
  const isConnected = device.connectionStatus === 'connected';
  if (unanswered > 0)
    return {
      verdict: 'warn',
      text: `${many(unanswered, 'command')} got no answer.`,
      advice: 'Answer each command on results/{commandId}.',
      ...(sentAt && { at: sentAt.toISOString() }),
    };
  if (waiting === 0) return { verdict: 'ok', text: 'No commands are waiting.' };
  if (!queuedAt)
    return {
      verdict: 'ok',
      text: `Waiting for the answer to ${many(waiting, 'command')}.`,
      ...(sentAt && { at: sentAt.toISOString() }),
    };
  const at = queuedAt.toISOString();
  if (!isConnected)
    return { verdict: 'warn', text: `Queued until the device connects: ${many(queued, 'command')}.`, at };
  if (now.getTime() - queuedAt.getTime() < minuteMs)
    return { verdict: 'ok', text: 'A command is being delivered.', at };
  return {
    verdict: 'fail',
    text: `The device is connected, but ${many(queued, 'command')} could not be delivered.`,
    advice: 'Subscribe to the device’s commands: d/{deviceId}/commands/+.',
    at,
  };
}

const many = (count: number, noun: string) =>
  count === 1 ? `1 ${noun}` : `${count.toLocaleString('en')} ${noun}s`;
