import { createTemporaryKey, readDeviceKey, rotateDeviceKey } from '#contract/device.ts';
import { on } from '#server/endpoints/route.ts';
import type { Slice } from '#server/slice.ts';
import { makeTemporary, readKey, rotateKey } from './apiKey.ts';

export const deviceKeys: Slice = {
  routes: [on(readDeviceKey, readKey), on(rotateDeviceKey, rotateKey), on(createTemporaryKey, makeTemporary)],
};
