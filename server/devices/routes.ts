import {
  checkDevice,
  createDevice,
  createTemporaryKey,
  deleteDevice,
  editDevice,
  listConnections,
  listDevices,
  readDevice,
  readDeviceKey,
  readPresence,
  rotateDeviceKey,
} from '#contract/device.ts';
import { Problem } from '#contract/problem.ts';
import type { Slice } from '#server/app.ts';
import { makeTemporary, readKey, rotateKey } from '#server/deviceKeys/apiKey.ts';
import { stateRoutes } from '#server/deviceState/routes.ts';
import { on } from '#server/endpoints/route.ts';
import { connectionsOf, presenceOf } from '#server/presence/readPresence.ts';
import { createOne } from './createDevice.ts';
import { deleteOne } from './deleteDevice.ts';
import { editOne } from './editDevice.ts';
import { healthOf } from './health/health.ts';
import { factsOf } from './health/healthFacts.ts';
import { devicesOf } from './list/list.ts';
import { deviceResource } from './store.ts';

export const devices: Slice = {
  resources: { device: deviceResource },
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

    on(listConnections, ({ db, row }) => connectionsOf(db, row)),
    on(readPresence, presenceOf),
    on(checkDevice, async ({ db, row: device, now }) => {
      const facts = await factsOf(db, device, now);
      if (!facts) throw new Problem('DEVICE_NOT_FOUND');
      return healthOf(device, facts, now);
    }),

    ...stateRoutes,
  ],
};
