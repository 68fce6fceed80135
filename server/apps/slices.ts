import type { Slice } from '#server/api/slice.ts';
import { apps } from './apps/routes.ts';
import { keys } from './keys/routes.ts';
import { proxyRoutes } from './proxyRoutes/routes.ts';
import { streams } from './streams/routes.ts';

export const appSlices: readonly Slice[] = [apps, keys, streams, proxyRoutes];
