import {
  checkDevice,
  createDevice,
  createTemporaryKey,
  type Device,
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
import { on } from '#server/http/route.ts';
import { makeTemporary, readKey, rotateKey } from './apiKey.ts';
import { createOne } from './createDevice.ts';
import { deleteOne } from './deleteDevice.ts';
import { editOne } from './editDevice.ts';
import { healthOf } from './health.ts';
import { factsOf } from './healthFacts.ts';
import { devicesOf } from './list.ts';
import { connectionsOf, presenceOf } from './presence.ts';
import { stateRoutes } from './stateRoutes.ts';
import { deviceResource } from './store.ts';

export const devices: Slice = {
  resources: { device: deviceResource },
  constraints: { devices_claim_code: ['CLAIM_CODE_TAKEN', 'claimCode'] },
  routes: [
    on(listDevices, call => devicesOf(call)),
    on(createDevice, call => createOne(call)),
    on(readDevice, async call => call.before as unknown as Device),
    on(editDevice, editOne),
    on(deleteDevice, deleteOne),

    on(readDeviceKey, readKey),
    on(rotateDeviceKey, rotateKey),
    on(createTemporaryKey, makeTemporary),

    on(listConnections, ({ db, before }) => connectionsOf(db, before as unknown as Device)),
    on(readPresence, presenceOf),
    on(checkDevice, async ({ db, before, now }) => {
      const device = before as unknown as Device;
      const facts = await factsOf(db, device, now);
      if (!facts) throw new Problem('DEVICE_NOT_FOUND');
      return healthOf(device, facts, now);
    }),

    ...stateRoutes,
  ],
};
