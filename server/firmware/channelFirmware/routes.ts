import { listChannelRuns, listOffTarget, readChannelFirmware } from '#contract/channelFirmware.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { channelFirmwareOf } from './firmware.ts';
import { offTargetOf } from './offTarget.ts';
import { runsOf } from './runs.ts';

/** What the devices of a channel run, and what the channel pointed at before. Writes nothing. */
export const channelFirmware: Slice = {
  routes: [
    on(readChannelFirmware, channelFirmwareOf),
    on(listOffTarget, offTargetOf),
    on(listChannelRuns, runsOf),
  ],
};
