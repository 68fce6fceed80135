import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { Device } from '#contract/device.ts';
import { type DisconnectReason, disconnectReasons } from '#contract/deviceProtocol.ts';
import { speaksByCalls } from '#rules/devices/speaksByCalls.ts';

/** The default channel, sent as an empty string. */
export const stableChannel = 'stable';
export const channelName = (channel: string) => channel || stableChannel;
export const channelValue = (name: string) => (name === stableChannel ? '' : name);

/** What a device is called on screen: its name, else its tag, else its id. */
export function deviceName({ name, tag, id }: Pick<Device, 'name' | 'tag' | 'id'>): string {
  return name || tag || id;
}

type State = Pick<Device, 'suspended' | 'connectionStatus' | 'connection'>;

const states: Record<Device['connectionStatus'], { tone: Tone; word: string }> = {
  connected: { tone: 'ok', word: 'Connected' },
  disconnected: { tone: 'off', word: 'Disconnected' },
  never: { tone: 'never', word: 'Never connected' },
};

/** The device has never connected and never made a call: it is still to be set up. */
export const isUnheard = ({
  connectionStatus,
  connection,
}: Pick<Device, 'connectionStatus' | 'connection'>) =>
  connectionStatus === 'never' && connection.lastMessageAt === undefined;

/** "Suspended" comes before everything else: such a device is refused whatever it does. */
export function stateOf(device: State): { tone: Tone; word: string } {
  if (device.suspended) return { tone: 'danger', word: 'Suspended' };
  return speaksByCalls(device) ? { tone: 'off', word: 'Uses HTTP' } : states[device.connectionStatus];
}

const short: Record<DisconnectReason, string> = {
  CLOSED: 'closed by the device',
  LOST: 'connection lost',
  SILENT: 'keep-alive missed',
  TAKEN_OVER: 'taken over by a newer connection',
  DISPLACED: 'displaced by a fifth connection',
  SUSPENDED: 'suspended',
  DELETED: 'deleted',
  RELEASED: 'released from its home',
  KEY_CHANGED: 'key changed',
  KEY_EXPIRED: 'temporary key expired',
  RATE_EXCEEDED: 'rate limit exceeded',
  TOO_LARGE: 'packet too large',
  PROTOCOL_ERROR: 'not valid MQTT',
  TOPIC_FORBIDDEN: 'published to a topic that is not its own',
  SLOW: 'did not read its messages',
  STOPPING: 'gateway shut down',
  GATEWAY_LOST: 'gateway went down',
};

/** Why a connection ended, in a few words that fit into a cell. */
export function shortReason(reason: string | undefined): string | undefined {
  return reason !== undefined && reason in short ? short[reason as DisconnectReason] : reason;
}

/** The same as a sentence. */
export function reasonSentence(reason: string): string {
  return reason in disconnectReasons ? disconnectReasons[reason as DisconnectReason] : reason;
}

export const protocolWords: Record<NonNullable<Device['connection']['protocol']>, string> = {
  mqtt: 'MQTT',
  websocket: 'MQTT over WebSocket',
  http: 'HTTP',
};
