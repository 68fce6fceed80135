import { PendingCommands } from '#server/devices/commands/pendingCommands.ts';
import { StageRecorder } from '#server/devices/commands/recordStages.ts';
import { HandedChanges } from '#server/devices/desiredChanges/handedChanges.ts';
import { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { admissionsOf } from '#server/devices/keys/admission.ts';
import { DeviceLogNotes } from '#server/devices/log/deviceLogNotes.ts';
import { pendingLogRequestFrame } from '#server/devices/logRequests/askDevice.ts';
import { ConnectedDevices } from '#server/devices/presence/connectedDevices.ts';
import { ConnectionRecord } from '#server/devices/presence/connectionRecord.ts';
import { MessageRates } from '#server/devices/presence/messageRates.ts';
import { PresenceMarks } from '#server/devices/presence/presenceMarks.ts';
import { PresenceWriter } from '#server/devices/presence/presenceWriter.ts';
import { HandedTargets } from '#server/firmware/targets/handedTargets.ts';
import { WatchedDevices } from '#server/infra/bus/watchedDevices.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { throttledLog } from '#server/infra/pace/throttledLog.ts';
import { Buckets } from '#server/infra/pace/tokenBucket.ts';
import type { Platform } from '#server/infra/platform.ts';
import { RetainedValues } from './down/retainedValues.ts';
import { KeyGuessLimit } from './entry/keyGuessLimit.ts';
import { PreAuthConnections } from './entry/preAuthConnections.ts';
import { onDeviceNotice } from './onDeviceNotice.ts';
import type { GatewayParts } from './parts.ts';
import { Ingest } from './up/ingest.ts';
import { MessageCounts } from './up/messageCounts.ts';

const admissionsMax = 500;

export function createParts(given: Platform, gatewayId: string): GatewayParts {
  const platform: Platform = { ...given, log: throttledLog(given.log) };
  const watched = new WatchedDevices(platform, deviceId => {
    for (const session of devices.get(deviceId)?.sessions ?? []) session.refresh(['logWanted']);
  });
  const rates = new MessageRates(platform.config);
  const devices: ConnectedDevices = new ConnectedDevices(platform, rates, (device, notice) =>
    onDeviceNotice(parts, device, notice),
  );
  const liveEvents = new LiveEvents(platform, watched);
  const presenceMarks = new PresenceMarks(platform);
  const notes = new DeviceLogNotes(platform, { liveEvents, presenceMarks });
  const presence = new PresenceWriter(platform, gatewayId);
  const traffic = new MessageCounts(platform);
  const commands = new StageRecorder(platform, { notes, liveEvents });
  const parts: GatewayParts = {
    platform,
    gatewayId,
    devices,
    rates,
    watched,
    liveEvents,
    presenceMarks,
    notes,
    traffic,
    commands,
    connections: new Set(),
    preAuthConnections: new PreAuthConnections(platform.config),
    admissions: new GroupCommit({
      name: 'admissions',
      run: async ids => {
        const found = await admissionsOf(platform.db, ids);
        return ids.map(id => found.get(id));
      },
      itemsMax: admissionsMax,
    }),
    keyGuessLimit: new KeyGuessLimit(),
    comings: new Buckets(),
    connectionRecord: new ConnectionRecord(platform, { presence, notes, liveEvents }),
    ingest: new Ingest(platform, { liveEvents, notes, presenceMarks, traffic, commands }),
    retained: new RetainedValues(platform, watched),
    handedTargets: new HandedTargets(platform, device => liveEvents.changed(device)),
    handedChanges: new HandedChanges(platform, liveEvents),
    pending: new PendingCommands(platform),
    logRequestOf: ({ projectId, id }) => pendingLogRequestFrame(platform.db, platform, projectId, id),
  };
  return parts;
}
