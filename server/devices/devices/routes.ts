import {
  createDevice,
  createTemporaryKey,
  deleteDevice,
  editDevice,
  listDevices,
  readDevice,
  readDeviceKey,
  rotateDeviceKey,
} from '#contract/device.ts';
import { checkDevice } from '#contract/deviceHealth.ts';
import { Problem } from '#contract/problem.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { makeTemporary, readKey, rotateKey } from './apiKey.ts';
import { createOne } from './createDevice.ts';
import { deleteOne } from './deleteDevice.ts';
import { editOne } from './editDevice.ts';
import { healthOf } from './health/health.ts';
import { factsOf } from './health/healthFacts.ts';
import { deviceListResource } from './list/deviceListResource.ts';
import { devicesOf } from './list/list.ts';
import { devicePartResource, deviceResource } from './store.ts';
import { unusedDevices } from './unusedDevices.ts';

export const devices: Slice = {
  tables: {
    devices: 'A device. Its key is stored as a hash and, unless the project forgets keys, encrypted.',
    device_counts: 'Device counts by class, maintained by triggers.',
    bundle_counts: 'How many devices of a class run a bundle, maintained by triggers.',
  },
  idPrefixes: ['dev'],
  resources: { device: deviceResource, devicePart: devicePartResource, deviceList: deviceListResource },
  chores: [unusedDevices],
  constraints: { devices_claim_code: ['CLAIM_CODE_TAKEN', 'claimCode'] },
  routes: [
    on(listDevices, call => devicesOf(call)),
    on(createDevice, call => createOne(call)),
    on(readDevice, async call => call.row),
    on(editDevice, editOne),
    on(deleteDevice, deleteOne),

    on(readDeviceKey, readKey),
    on(rotateDeviceKey, rotateKey),
    on(createTemporaryKey, makeTemporary),

    on(checkDevice, async ({ db, row: device, now }) => {
      const facts = await factsOf(db, device, now);
      if (!facts) throw new Problem('DEVICE_NOT_FOUND');
      return healthOf(device, facts, now);
    }),
  ],
};
