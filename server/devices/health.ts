import type { Device, DeviceHealth } from '#contract/device.ts';
import { adviceAfter, whyEnded } from './disconnectWords.ts';
import type { Facts } from './healthFacts.ts';

type Layer = DeviceHealth['layers'][number];
type Judged = Omit<Layer, 'id'>;

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

/** Only a refusal that no connection came after is still true. */
function key({ connection, connectionStatus }: Device, { rejectedAt, rejectedReason }: Facts): Judged {
  const isOfKey = rejectedReason === 'KEY_CHANGED' || rejectedReason === 'KEY_EXPIRED';
  if (!rejectedAt || !isOfKey)
    return { verdict: 'ok', text: 'No connection was refused for its key lately.' };
  const at = rejectedAt.toISOString();
  const what = rejectedReason === 'KEY_EXPIRED' ? 'a temporary key that had expired' : 'a wrong key';
  if (connection.since && connection.since > at)
    return { verdict: 'ok', text: `A connection with ${what} was refused; it has connected since.`, at };
  const advice = 'Give the device its present API key; if that is lost, rotate it.';
  if (connectionStatus === 'connected')
    return { verdict: 'warn', text: `While it is connected, another with ${what} was refused.`, advice, at };
  return { verdict: 'fail', text: `Its last connection was refused: it came with ${what}.`, advice, at };
}

function connected({ connection, connectionStatus }: Device, { rejectedReason, rejectedAt }: Facts): Judged {
  const { since, reason, protocol, address } = connection;
  const at = since && { at: since };
  if (connectionStatus === 'never')
    return {
      verdict: 'fail',
      text: 'It has never connected.',
      advice: 'Let it connect with its id as user name and its API key as password.',
    };
  if (connectionStatus === 'disconnected')
    return {
      verdict: 'fail',
      text: `It is not connected. ${whyEnded(reason)}`.trim(),
      advice: adviceAfter(reason),
      ...at,
    };
  if (rejectedReason === 'TOO_MANY' && rejectedAt && since && rejectedAt.toISOString() > since)
    return {
      verdict: 'warn',
      text: 'It is connected, and one connection more than is allowed was refused.',
      advice: 'Let a device keep one client id, and close connections it no longer needs.',
      at: rejectedAt.toISOString(),
    };
  const by = protocol ? ` by ${protocolNames[protocol]}` : '';
  return { verdict: 'ok', text: `It is connected${by}${address ? ` from ${address}` : ''}.`, ...at };
}

const protocolNames = { mqtt: 'MQTT', websocket: 'MQTT over WebSocket', http: 'HTTP' };

function messages({ connection, connectionStatus }: Device, _: Facts, now: Date): Judged {
  const { lastMessageAt } = connection;
  const isConnected = connectionStatus === 'connected';
  if (!lastMessageAt)
    return isConnected
      ? {
          verdict: 'warn',
          text: 'It is connected and has sent nothing yet.',
          advice: 'Let it report its state.',
        }
      : { verdict: 'unknown', text: 'It has sent nothing yet.' };
  const isLongAgo = now.getTime() - Date.parse(lastMessageAt) > dayMs;
  if (isConnected && isLongAgo)
    return {
      verdict: 'warn',
      text: 'It is connected and has sent nothing for more than a day.',
      advice: 'Look whether its program still runs.',
      at: lastMessageAt,
    };
  return { verdict: 'ok', text: 'Its last message came in.', at: lastMessageAt };
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
