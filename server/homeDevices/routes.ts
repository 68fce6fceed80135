import { addHomeDevice, listHomeDevices, releaseHomeDevice } from '#contract/homeDevice.ts';
import { on } from '#server/endpoints/route.ts';
import type { Slice } from '#server/slice.ts';
import { addOne, releaseOne } from './changeHomeDevices.ts';
import { homeDevicesOf } from './homeDevice.ts';
import { wipeReleasedJob } from './wipeReleased.ts';

/** The devices of homes, for developers and their back ends. */
export const homeDevices: Slice = {
  jobs: platform => ({ tasks: { wipeReleased: wipeReleasedJob(platform) } }),
  routes: [
    on(listHomeDevices, ({ db, projectId = '', params, page, now }) =>
      homeDevicesOf(db, { projectId, homeId: params.homeId, now }, page),
    ),
    on(addHomeDevice, addOne),
    on(releaseHomeDevice, releaseOne),
  ],
};
