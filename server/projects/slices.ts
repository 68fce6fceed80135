import type { Slice } from '#server/api/slice.ts';
import { logEntries } from './logEntries/routes.ts';
import { projects } from './projects/routes.ts';
import { sampleDevicesSlice } from './sample/makeSampleDevices.ts';
import { stats } from './stats/routes.ts';
import { team } from './team/routes.ts';

export const projectSlices: readonly Slice[] = [projects, stats, team, sampleDevicesSlice, logEntries];
