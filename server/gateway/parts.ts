import type { LogRequestFrame } from '#contract/deviceProtocol.ts';
import type { Watched } from '#server/bus/watchedDevices.ts';
import type { CommandStages } from '#server/commands/keepStages.ts';
import type { PendingCommands } from '#server/commands/pendingCommands.ts';
import type { Admission } from '#server/deviceKeys/admission.ts';
import type { Notes } from '#server/deviceLog/deviceLogNotes.ts';
import type { News } from '#server/devices/liveEvents.ts';
import type { Batch } from '#server/pace/groupCommit.ts';
import type { Buckets } from '#server/pace/tokenBucket.ts';
import type { Platform } from '#server/platform.ts';
import type { DeviceHere, Devices } from '#server/presence/connectedDevices.ts';
import type { Attendance } from '#server/presence/connectionRecord.ts';
import type { MessageRates } from '#server/presence/messageRates.ts';
import type { Marks } from '#server/presence/presenceMarks.ts';
import type { Retained } from './down/retainedValues.ts';
import type { Guesses } from './entry/keyGuessLimit.ts';
import type { Unsaid } from './entry/preAuthConnections.ts';
import type { Connection } from './mqtt/connection.ts';
import type { Ingest } from './up/ingest.ts';
import type { GatewayTraffic } from './up/messageCounts.ts';

/** What a connection works with. */
export interface GatewayParts {
  platform: Platform;
  gatewayId: string;
  connections: Set<Connection>;
  unsaid: Unsaid;
  devices: Devices;
  admissions: Batch<string, Admission | undefined>;
  guesses: Guesses;
  rates: MessageRates;
  /** How often each device came. */
  comings: Buckets;
  attendance: Attendance;
  ingest: Ingest;
  retained: Retained;
  commands: CommandStages;
  pending: PendingCommands;
  /** The log request that a device is to be told, if any. */
  logRequestOf: (device: DeviceHere) => Promise<LogRequestFrame | undefined>;
  notes: Notes;
  news: News;
  marks: Marks;
  watched: Watched;
  traffic: GatewayTraffic;
}
