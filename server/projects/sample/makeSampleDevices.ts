import type { Slice } from '#server/api/slice.ts';
import { insertClasses, updateClass } from '#server/classes/deviceClasses/store.ts';
import { insertPairs } from '#server/classes/keyValues/kv.ts';
import { insertDevices, type NewDevice } from '#server/devices/devices/insertDevices.ts';
import { makeClaimCode, makeDeviceKey, storableKey } from '#server/devices/keys/keys.ts';
import { insertReported, saveReports } from '#server/devices/state/stateStore.ts';
import { retarget } from '#server/firmware/targets/retarget.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { makeSampleFigures } from './makeSampleFigures.ts';
import { makeSampleFirmware } from './makeSampleFirmware.ts';
import { makeSampleHistory, reportsOf } from './makeSampleHistory.ts';
import { makeSampleModules } from './makeSampleModules.ts';
import { hoursAgo, makeSamplePast } from './makeSamplePast.ts';
import { makeSamplePeople } from './makeSamplePeople.ts';
import {
  type SampleDevice,
  sampleClasses,
  sampleDevices,
  sampleMadeHoursAgo,
  sampleThermostat,
} from './sampleDevices.ts';
import { firstThermostat, thermostatEdits } from './sampleRevisions.ts';
import { storeSampleFileJob } from './storeSampleFile.ts';

export const sampleDevicesSlice: Slice = {
  sample: makeSampleDevices,
  jobs: platform => ({ tasks: { storeSampleFile: storeSampleFileJob(platform) } }),
};

/** Fills a project that was created in the same transaction. Uses few statements, so that a sign-up is fast. */
async function makeSampleDevices(
  db: Db,
  platform: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, now }: { projectId: string; now: Date },
): Promise<void> {
  const madeAt = hoursAgo(now, sampleMadeHoursAgo);
  await makeSampleClasses(db, { projectId, now });
  const pairs = sampleClasses.flatMap(({ id, kv }) =>
    Object.entries(kv).map(([key, value]) => ({ ownerId: id, key, value })),
  );
  await insertPairs(db, { of: 'class', projectId }, pairs, madeAt);
  const firmware = await makeSampleFirmware(db, platform, { projectId, now });
  const devices = sampleDevices.map((device, i) => {
    // A millisecond apart, so that a list sorted by time has them in this order.
    const createdAt = new Date(madeAt.getTime() + i);
    return { ...device, id: platform.newId('dev', createdAt), createdAt, reports: reportsOf(device, now) };
  });
  const runs = ({ deviceClass, past }: SampleDevice) =>
    past !== undefined && deviceClass === firmware.deviceClass;
  await insertDevices(
    db,
    projectId,
    devices.map(device => ({
      ...device,
      channel: '',
      claimCode: makeClaimCode(),
      suspended: false,
      bundleInstalled: runs(device) ? firmware.installed.bundleId : undefined,
      key: storableKey(platform.sealing, makeDeviceKey()),
      seen: lastSeen(device, now),
    })),
  );
  await retarget(db, { projectId, deviceClass: firmware.deviceClass, channel: '' }, madeAt);
  const reported = devices.flatMap(({ id, reported: state, past }) =>
    past ? [{ deviceId: id, reported: state, at: hoursAgo(now, past.reported) }] : [],
  );
  await insertReported(db, projectId, reported);
  const text = JSON.stringify(firmware.installed);
  const saying = devices
    .filter(runs)
    .map(({ id: deviceId, ...device }) => ({ projectId, deviceId, text, at: connectedAt(device, now) }));
  await saveReports(db, 'installed', saying);
  await makeSampleHistory(db, { projectId, now }, devices);
  await makeSamplePast(db, platform, { projectId, now }, devices);
  await makeSampleFigures(db, { projectId, now }, devices);
  await makeSamplePeople(db, platform, { projectId, now }, devices);
  await makeSampleModules(db, { projectId, now });
}

/** Creates the classes, and edits the thermostat so that it has revisions to compare. */
async function makeSampleClasses(db: Db, { projectId, now }: { projectId: string; now: Date }) {
  const by = { id: 'mooring', name: 'Mooring' };
  const first = sampleClasses.map(one => (one === sampleThermostat ? firstThermostat : one));
  await insertClasses(db, projectId, first, { by, now: hoursAgo(now, sampleMadeHoursAgo) });
  for (const { hoursAgo: ago, edit } of thermostatEdits)
    await updateClass(db, { projectId, id: sampleThermostat.id }, edit, { by, now: hoursAgo(now, ago) });
}

/** When the device last connected. */
const connectedAt = ({ past }: SampleDevice, now: Date) => hoursAgo(now, past?.connections.at(-1)?.from ?? 0);

function lastSeen({ past }: SampleDevice, now: Date): NewDevice['seen'] {
  const last = past?.connections.at(-1);
  if (!past || !last) return undefined;
  const lastMessage = Math.min(past.reported, ...past.events.map(({ ago }) => ago));
  return {
    at: hoursAgo(now, last.to),
    reason: last.reason,
    address: past.address,
    protocol: 'mqtt',
    messageAt: hoursAgo(now, lastMessage),
  };
}
