import { addHomeDevice, listHomeDevices, prepareResale, releaseHomeDevice } from '#contract/homeDevice.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { addOne, releaseOne } from './changeHomeDevices.ts';
import { homeDevicesOf } from './homeDevice.ts';
import { resell } from './resale.ts';
import { wipeReleasedJob } from './wipeReleased.ts';

/** The devices of homes, for developers and their back ends. */
export const homeDevices: Slice = {
  jobs: (platform, all) => ({ tasks: { wipeReleased: wipeReleasedJob(platform, all) } }),
  routes: [
    on(listHomeDevices, ({ db, projectId = '', params, page, now }) =>
      homeDevicesOf(db, { projectId, homeId: params.homeId, now }, page),
    ),
    on(addHomeDevice, addOne),
    on(releaseHomeDevice, releaseOne),
    on(prepareResale, call => {
      const { db, platform, projectId = '', params, body, now } = call;
      const given = { projectId, homeId: params.homeId, actor: actorOf(call), now };
      return resell(db, platform, { ...given, rotatesKeys: body.rotateKeys ?? false });
    }),
  ],
};
