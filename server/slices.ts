import { accountSlices } from './accounts/slices.ts';
import type { Slice } from './api/slice.ts';
import { apiSlices } from './api/slices.ts';
import { appSlices } from './apps/slices.ts';
import { classSlices } from './classes/slices.ts';
import { deviceSlices } from './devices/slices.ts';
import { doorSlices } from './doors/slices.ts';
import { firmwareSlices } from './firmware/slices.ts';
import { mailSlices } from './mail/slices.ts';
import { moduleSlices } from './modules/slices.ts';
import { peopleSlices } from './people/slices.ts';
import { projectSlices } from './projects/slices.ts';

/** All slices, from the ground up. Everything that covers all nouns derives from this list. */
export const slices: readonly Slice[] = [
  ...apiSlices,
  ...mailSlices,
  ...accountSlices,
  ...classSlices,
  ...firmwareSlices,
  ...deviceSlices,
  ...peopleSlices,
  ...appSlices,
  ...moduleSlices,
  ...projectSlices,
  ...doorSlices,
];
