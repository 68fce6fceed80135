import type { Slice } from '#server/api/slice.ts';
import { bundles } from './bundles/routes.ts';
import { channelFirmware } from './channelFirmware/routes.ts';
import { channels } from './channels/routes.ts';
import { components } from './components/routes.ts';
import { firmwareDeltas } from './deltas/slice.ts';
import { rolloutOutcomes } from './outcomes/slice.ts';
import { rollouts } from './rollouts/routes.ts';
import { deviceFirmware } from './targets/routes.ts';

export const firmwareSlices: readonly Slice[] = [
  components,
  firmwareDeltas,
  bundles,
  channels,
  rolloutOutcomes,
  rollouts,
  channelFirmware,
  deviceFirmware,
];
