import type { LogRequestFrame } from '#contract/deviceProtocol.ts';
import type { PendingCommands } from '#server/devices/commands/pendingCommands.ts';
import type { StageRecorder } from '#server/devices/commands/recordStages.ts';
import type { HandedChanges } from '#server/devices/desiredChanges/handedChanges.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import type { Admission } from '#server/devices/keys/admission.ts';
import type { DeviceLogNotes } from '#server/devices/log/deviceLogNotes.ts';
import type { ConnectedDevice, ConnectedDevices } from '#server/devices/presence/connectedDevices.ts';
import type { ConnectionRecord } from '#server/devices/presence/connectionRecord.ts';
import type { MessageRates } from '#server/devices/presence/messageRates.ts';
import type { PresenceMarks } from '#server/devices/presence/presenceMarks.ts';
import type { HandedTargets } from '#server/firmware/targets/handedTargets.ts';
import type { WatchedDevices } from '#server/infra/bus/watchedDevices.ts';
import type { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Buckets } from '#server/infra/pace/tokenBucket.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { RetainedValues } from './down/retainedValues.ts';
import type { KeyGuessLimit } from './entry/keyGuessLimit.ts';
import type { PreAuthConnections } from './entry/preAuthConnections.ts';
import type { Connection } from './mqtt/connection.ts';
import type { Ingest } from './up/ingest.ts';
import type { MessageCounts } from './up/messageCounts.ts';

/** The dependencies of a connection. */
export interface GatewayParts {
  platform: Platform;
  gatewayId: string;
  connections: Set<Connection>;
  preAuthConnections: PreAuthConnections;
  devices: ConnectedDevices;
  admissions: GroupCommit<string, Admission | undefined>;
  keyGuessLimit: KeyGuessLimit;
  rates: MessageRates;
  /** Limits how often each device can connect. */
  comings: Buckets;
  connectionRecord: ConnectionRecord;
  ingest: Ingest;
  retained: RetainedValues;
  handedTargets: HandedTargets;
  handedChanges: HandedChanges;
  commands: StageRecorder;
  pending: PendingCommands;
  /** The log request to send to a device, if any. */
  logRequestOf: (device: ConnectedDevice) => Promise<LogRequestFrame | undefined>;
  notes: DeviceLogNotes;
  liveEvents: LiveEvents;
  presenceMarks: PresenceMarks;
  watched: WatchedDevices;
  traffic: MessageCounts;
}
