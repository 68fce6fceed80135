import type { Slice } from '#server/slice.ts';
import { retargetChannelJob } from './retarget.ts';

export const deviceFirmware: Slice = {
  jobs: platform => ({ tasks: { retargetChannel: from => retargetChannelJob(platform, from) } }),
  tables: {
    device_targets: 'What a device should run, and how far it is with it.',
    device_updates: 'What a device was told to run before, and what came of it.',
  },
};
