import type { Slice } from '#server/api/slice.ts';
import { deviceClasses } from './deviceClasses/routes.ts';
import { keyValues } from './keyValues/routes.ts';

export const classSlices: readonly Slice[] = [deviceClasses, keyValues];
