import type { Slice } from '#server/api/slice.ts';
import { gateway } from './gateway/addresses/routes.ts';

export const doorSlices: readonly Slice[] = [gateway];
