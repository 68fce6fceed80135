import type { Slice } from '#server/api/slice.ts';
import { keyValues } from './keyValues/routes.ts';
import { deviceClasses } from './registry/routes.ts';

export const classSlices: readonly Slice[] = [deviceClasses, keyValues];
