/** What one needs to speak the device protocol, apart from its shapes: it brings no schema library along. */
export { isEventName } from '#rules/eventNames.ts';

/** Where everything is said, under `d/{deviceId}/`; `:name` stands for one level. */
export const topicPatterns = {
  state: 'state',
  stateRejected: 'state/rejected',
  rejected: 'rejected',
  desired: 'desired',
  delta: 'delta',
  event: 'events/:name',
  command: 'commands/:name',
  result: 'results/:id',
  target: 'target',
  installed: 'installed',
  progress: 'progress',
  config: 'config',
  entities: 'entities',
  logRequest: 'logRequests/:id',
  logRequestStatus: 'logRequests/:id/status',
  log: 'log',
  logWanted: 'log/wanted',
} as const;

export type TopicName = keyof typeof topicPatterns;

/** `d/dev_1/events/door` */
export function topicOf(deviceId: string, name: TopicName, ...values: string[]): string {
  let i = 0;
  return `d/${deviceId}/${topicPatterns[name].replace(/:\w+/g, () => values[i++] ?? '')}`;
}

export const packetBytesMax = 128 * 1024;
/** Unless the project says otherwise. */
export const messagesPerS = 20;
/** So many seconds' messages may come at once. */
export const burstS = 5;
export const messageBurst = messagesPerS * burstS;
/** How long messages over the rate are held back before the connection is ended. */
export const throttledMaxS = 10;
export const connectWithinS = 10;
export const keepAliveMaxS = 1200;
export const subscriptionsMax = 32;
export const entitiesMax = 200;
/** How long `GET commands` waits for the first one, unless `waitMs` says otherwise. */
export const pollWaitMs = { default: 25_000, most: 55_000 };
/** A command that was fetched and not answered is handed out again after this. */
export const pollAgainMs = 30_000;

/** Why a connection ended, in the words of the console and the device's system log. */
export const disconnectReasons = {
  CLOSED: 'The device disconnected.',
  LOST: 'The connection broke.',
  SILENT: 'Nothing was heard for one and a half times the keep-alive time.',
  TAKEN_OVER: 'Another connection came with the same client id.',
  SUSPENDED: 'The device was suspended.',
  DELETED: 'The device was deleted.',
  KEY_CHANGED: 'The API key was changed.',
  KEY_EXPIRED: 'The temporary key expired.',
  RATE_EXCEEDED: 'More messages came than are allowed, for too long.',
  TOO_LARGE: 'A packet was larger than 128 KiB.',
  PROTOCOL_ERROR: 'What came was not valid MQTT 3.1.1.',
  TOPIC_FORBIDDEN: 'The device wrote to a topic that is not its own.',
  SLOW: 'The device did not read what was sent to it.',
  STOPPING: 'The gateway is stopping.',
  GATEWAY_LOST: 'The gateway that held the connection is gone.',
} as const;
export type DisconnectReason = keyof typeof disconnectReasons;
