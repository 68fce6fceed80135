import { readGateway } from '#contract/gateway.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { gatewayAddresses } from './gatewayAddresses.ts';

export const gateway: Slice = {
  routes: [on(readGateway, async ({ platform }) => gatewayAddresses(platform))],
};
