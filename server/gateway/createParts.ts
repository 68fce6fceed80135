import { pendingLogRequestFrame } from '#server/logRequests/askDevice.ts';
import type { Platform } from '#server/platform.ts';
import { admissionsOf } from './admission.ts';
import { Attendance } from './attendance.ts';
import { Batch } from './batch.ts';
import { CommandStages } from './commandStages.ts';
import { Guesses } from './guesses.ts';
import { hear } from './hear.ts';
import { Devices } from './here.ts';
import { Ingest } from './ingest.ts';
import { Marks } from './marks.ts';
import { MessageRates } from './messageRates.ts';
import { News } from './news.ts';
import { Notes } from './notes.ts';
import type { GatewayParts } from './parts.ts';
import { PendingCommands } from './pending.ts';
import { Presence } from './presence.ts';
import { Retained } from './retained.ts';
import { seldomLog } from './seldomLog.ts';
import { Buckets } from './tokenBucket.ts';
import { GatewayTraffic } from './traffic.ts';
import { Unsaid } from './unsaid.ts';
import { Watched } from './watched.ts';

const admissionsMax = 500;

/** The parts of a gateway, put together once. */
export function createParts(given: Platform, gatewayId: string): GatewayParts {
  const platform: Platform = { ...given, log: seldomLog(given.log) };
  const watched = new Watched(platform, deviceId => {
    for (const session of devices.get(deviceId)?.sessions ?? []) session.refresh(['logWanted']);
  });
  const rates = new MessageRates(platform.config);
  const devices: Devices = new Devices(platform, rates, (device, notice) => hear(parts, device, notice));
  const news = new News(platform, watched);
  const marks = new Marks(platform);
  const notes = new Notes(platform, { news, marks });
  const presence = new Presence(platform, gatewayId);
  const traffic = new GatewayTraffic(platform);
  const commands = new CommandStages(platform, { notes, news });
  const parts: GatewayParts = {
    ...{ platform, gatewayId, devices, rates, watched, news, marks, notes, traffic, commands },
    connections: new Set(),
    unsaid: new Unsaid(platform.config),
    admissions: new Batch({
      run: async ids => {
        const found = await admissionsOf(platform.db, ids);
        return ids.map(id => found.get(id));
      },
      itemsMax: admissionsMax,
    }),
    guesses: new Guesses(),
    comings: new Buckets(),
    attendance: new Attendance(platform, { presence, notes, news }),
    ingest: new Ingest(platform, { news, notes, marks, traffic, commands }),
    retained: new Retained(platform, watched),
    pending: new PendingCommands(platform),
    logRequestOf: ({ projectId, id }) => pendingLogRequestFrame(platform.db, platform, projectId, id),
  };
  return parts;
}
