import { Watched } from '#server/bus/watchedDevices.ts';
import { CommandStages } from '#server/commands/keepStages.ts';
import { PendingCommands } from '#server/commands/pendingCommands.ts';
import { admissionsOf } from '#server/deviceKeys/admission.ts';
import { Notes } from '#server/deviceLog/deviceLogNotes.ts';
import { News } from '#server/devices/liveEvents.ts';
import { pendingLogRequestFrame } from '#server/logRequests/askDevice.ts';
import { Batch } from '#server/pace/groupCommit.ts';
import { seldomLog } from '#server/pace/seldomLog.ts';
import { Buckets } from '#server/pace/tokenBucket.ts';
import type { Platform } from '#server/platform.ts';
import { Devices } from '#server/presence/connectedDevices.ts';
import { Attendance } from '#server/presence/connectionRecord.ts';
import { Presence } from '#server/presence/keepPresence.ts';
import { MessageRates } from '#server/presence/messageRates.ts';
import { Marks } from '#server/presence/presenceMarks.ts';
import { Retained } from './down/retainedValues.ts';
import { Guesses } from './entry/keyGuessLimit.ts';
import { Unsaid } from './entry/preAuthConnections.ts';
import { hear } from './onDeviceNotice.ts';
import type { GatewayParts } from './parts.ts';
import { Ingest } from './up/ingest.ts';
import { GatewayTraffic } from './up/messageCounts.ts';

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
