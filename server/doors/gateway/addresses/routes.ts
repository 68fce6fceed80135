import { readGateway } from '#contract/gateway.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { doorsOf } from './doorsOf.ts';

export const doors: Slice = { routes: [on(readGateway, async ({ platform }) => doorsOf(platform))] };
