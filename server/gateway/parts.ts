import type { LogRequestFrame } from '#contract/deviceProtocol.ts';
import type { Platform } from '#server/platform.ts';
import type { Admission } from './admission.ts';
import type { Attendance } from './attendance.ts';
import type { Batch } from './batch.ts';
import type { CommandStages } from './commandStages.ts';
import type { Connection } from './connection.ts';
import type { Guesses } from './guesses.ts';
import type { DeviceHere, Devices } from './here.ts';
import type { Ingest } from './ingest.ts';
import type { Marks } from './marks.ts';
import type { MessageRates } from './messageRates.ts';
import type { News } from './news.ts';
import type { Notes } from './notes.ts';
import type { PendingCommands } from './pending.ts';
import type { Retained } from './retained.ts';
import type { Buckets } from './tokenBucket.ts';
import type { GatewayTraffic } from './traffic.ts';
import type { Unsaid } from './unsaid.ts';
import type { Watched } from './watched.ts';

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
