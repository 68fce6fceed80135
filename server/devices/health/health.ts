import type { Device, DeviceHealth } from '#contract/device.ts';
import { connected, key } from './healthConnection.ts';
import type { Facts } from './healthFacts.ts';
import { messages, subscriptions } from './healthMessages.ts';

type Layer = DeviceHealth['layers'][number];
export type Judged = Omit<Layer, 'id'>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** From the platform to the device: the first layer that is not well is where to look. */
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
    text: 'No gateway is running, so that no device can connect.',
    advice: 'Start the platform with the role gateway. Devices connect again by themselves.',
  };
}

function suspended({ suspended: isSuspended }: Device): Judged {
  if (!isSuspended) return { verdict: 'ok', text: 'The device is not suspended.' };
  return { verdict: 'fail', text: 'The device is suspended and refused.', advice: 'Resume it.' };
}

function rate({ connection, connectionStatus }: Device, { limitedAt }: Facts, now: Date): Judged {
  const isCutOff = connectionStatus === 'disconnected' && connection.reason === 'RATE_EXCEEDED';
  const isRecent = limitedAt !== null && now.getTime() - limitedAt.getTime() < dayMs;
  if (!isCutOff && !isRecent) return { verdict: 'ok', text: 'It keeps to its rate of messages.' };
  return {
    verdict: isCutOff ? 'fail' : 'warn',
    text: isCutOff
      ? 'It sent too much, for too long, and was cut off.'
      : 'It sent more than is allowed and was held back.',
    advice: 'Let it send less, or gather what it has to say.',
    ...(limitedAt && { at: limitedAt.toISOString() }),
  };
}

function schema(_: Device, { hasSchemas, quarantined, quarantinedAt }: Facts): Judged {
  if (quarantined === 0)
    return {
      verdict: 'ok',
      text: hasSchemas ? 'Its messages of the last day fit the class.' : 'Its class asks for nothing.',
    };
  return {
    verdict: 'warn',
    text: `${many(quarantined, 'message')} of the last day broke a schema of its class and ${quarantined === 1 ? 'was' : 'were'} not acted on.`,
    advice: 'Look at them in the quarantine of the class: mend the device, or the schema.',
    ...(quarantinedAt && { at: quarantinedAt.toISOString() }),
  };
}

function commands(device: Device, { queued, queuedAt, unanswered, sentAt }: Facts, now: Date): Judged {
  const isConnected = device.connectionStatus === 'connected';
  if (unanswered > 0)
    return {
      verdict: 'warn',
      text: `${many(unanswered, 'command')} had no answer.`,
      advice: 'Let it answer every command on results/{id of the command}.',
      ...(sentAt && { at: sentAt.toISOString() }),
    };
  if (!queuedAt) return { verdict: 'ok', text: 'No command waits for it.' };
  const at = queuedAt.toISOString();
  if (!isConnected)
    return { verdict: 'warn', text: `Waiting until it connects: ${many(queued, 'command')}.`, at };
  if (now.getTime() - queuedAt.getTime() < minuteMs)
    return { verdict: 'ok', text: 'A command is on its way.', at };
  return {
    verdict: 'fail',
    text: `${many(queued, 'command')} did not reach it although it is connected.`,
    advice: 'Let it subscribe to its commands: d/{its id}/commands/+.',
    at,
  };
}

const many = (count: number, noun: string) =>
  count === 1 ? `1 ${noun}` : `${count.toLocaleString('en')} ${noun}s`;
