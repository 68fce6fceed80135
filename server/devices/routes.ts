import {
  createDevice,
  createTemporaryKey,
  type Device,
  deleteDevice,
  editDevice,
  listDevices,
  readDevice,
  readDeviceKey,
  rotateDeviceKey,
} from '#contract/device.ts';
import type { Slice } from '#server/app.ts';
import { on } from '#server/http/route.ts';
import { makeTemporary, readKey, rotateKey } from './apiKey.ts';
import { createOne } from './createDevice.ts';
import { deleteOne } from './deleteDevice.ts';
import { editOne } from './editDevice.ts';
import { devicesOf } from './list.ts';
import { deviceResource } from './store.ts';

export const devices: Slice = {
  resources: { device: deviceResource },
  constraints: { devices_claim_code: 'CLAIM_CODE_TAKEN' },
  routes: [
    on(listDevices, devicesOf),
    on(createDevice, call => createOne(call)),
    on(readDevice, async call => call.before as unknown as Device),
    on(editDevice, editOne),
    on(deleteDevice, deleteOne),

    on(readDeviceKey, readKey),
    on(rotateDeviceKey, rotateKey),
    on(createTemporaryKey, makeTemporary),
  ],
};
