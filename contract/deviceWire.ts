/** The part of the device protocol that needs no schema library, so that the SDK stays small. */
export { isEventName } from '#rules/eventNames.ts';

/** Topics under `d/{deviceId}/`; `:name` stands for one level. */
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

/** Why a connection ended, as shown in the console and the device's system log. */
export const disconnectReasons = {
  CLOSED: 'The device disconnected.',
  LOST: 'The connection was lost.',
  SILENT: 'The device was silent for one and a half times its keep-alive interval.',
  TAKEN_OVER: 'Another connection took over the client id.',
  DISPLACED:
    'The device opened a fifth connection under another client id, and this one had been silent the longest.',
  SUSPENDED: 'The device was suspended.',
  DELETED: 'The device was deleted.',
  RELEASED: 'The device was released from its home.',
  KEY_CHANGED: 'The API key was changed.',
  KEY_EXPIRED: 'The temporary key expired.',
  RATE_EXCEEDED: 'The device exceeded its message rate for too long.',
  TOO_LARGE: 'A packet was larger than 128 KiB.',
  PROTOCOL_ERROR: 'The device sent something that is not valid MQTT 3.1.1.',
  TOPIC_FORBIDDEN: 'The device published to a topic that is not its own.',
  SLOW: 'The device stopped reading the messages sent to it.',
  STOPPING: 'The gateway is shutting down.',
  GATEWAY_LOST: 'The gateway that held the connection went down.',
} as const;
export type DisconnectReason = keyof typeof disconnectReasons;

/** The states of a device that is working on a target. */
const workingStates = [
  'accepted',
  'downloading',
  'verifying',
  'ready',
  'installing',
  'rebooting',
  'confirming',
] as const;

/** The states that a device goes through, as it reports them. */
const reportedStates = [...workingStates, 'done', 'failed', 'declined'] as const;

/** A device's progress with a target. The time limits of a state are paused while the device is disconnected. */
export const updateStates = [
  'none',
  'waiting',
  'offered',
  ...reportedStates,
  'lost',
  'withdrawn',
  'superseded',
] as const;
export type UpdateState = (typeof updateStates)[number];

/** The states of an update in progress: it is not finished, and does not wait for the device to connect. */
export const movingStates = ['offered', ...workingStates] as const satisfies readonly UpdateState[];

/** What a device in the state `ready` can wait for. */
export const updateWaits = ['consent', 'window', 'battery'] as const;
export type UpdateWait = (typeof updateWaits)[number];

/** The answers a home can give to a device that waits for consent, and how long it can postpone the update. */
export const consentAnswers = ['install', 'later'] as const;
export const consentLaterDaysMax = 30;

/** The states a device reports; `postponed` waits until the time it names. */
export const progressStates = [...reportedStates, 'postponed'] as const;

/**
 * How a failure is handled: `transient` is retried indefinitely, `unable` every six hours, `integrity` twice more,
 * `final` never automatically. `integrity` and `final` count towards the failure gate of a rollout.
 */
export const failureClasses = ['transient', 'unable', 'integrity', 'final', 'choice'] as const;
export type FailureClass = (typeof failureClasses)[number];

/** The codes of failed updates, and how each is handled. A code that is not listed is `final`. */
export const updateCodes = {
  network: 'transient',
  timeout: 'transient',
  server_busy: 'transient',
  url_expired: 'transient',
  interrupted: 'transient',
  no_space: 'unable',
  low_battery: 'unable',
  no_memory: 'unable',
  busy: 'unable',
  hash_mismatch: 'integrity',
  signature_invalid: 'integrity',
  manifest_invalid: 'integrity',
  wrong_class: 'final',
  downgrade_refused: 'final',
  dependency: 'final',
  install_failed: 'final',
  boot_failed: 'final',
  self_test_failed: 'final',
  rolled_back: 'final',
  lost: 'final',
  declined: 'choice',
  postponed: 'choice',
} as const satisfies Record<string, FailureClass>;
export type UpdateCode = keyof typeof updateCodes;
