import type { Slice } from '#server/api/slice.ts';
import { doors } from './gateway/addresses/routes.ts';

export const doorSlices: readonly Slice[] = [doors];
