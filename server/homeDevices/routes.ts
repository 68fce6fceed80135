import type { Slice } from '#server/slice.ts';
import { wipeReleasedJob } from './wipeReleased.ts';

export const homeDevices: Slice = {
  jobs: platform => ({ tasks: { wipeReleased: wipeReleasedJob(platform) } }),
};
