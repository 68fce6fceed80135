import type { FastifyInstance } from 'fastify';
import type { Capability } from '#contract/endpoint.ts';
import type { KeyCaller } from '#server/endpoints/apiDoor.ts';
import { onCallOver } from '#server/http/callOver.ts';
import { pathOf } from '#server/httpLog/logHttpCalls.ts';
import { plain } from '#server/keys/findKey.ts';
import { countKeyCall, flushKeyCalls } from '#server/keys/keyUses.ts';
import type { Platform } from '#server/platform.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that a call was made with, whether it was let in or not. */
    keyUsed?: { key: KeyCaller; capability: Capability; previousHash: Buffer | undefined };
  }
}

/** Paths are kept as the reference has them. */
const serviceApiPath = /^\/service\/v1/;

/** Who is not let in, or not so often. What a call got wrong otherwise is use of the key all the same. */
const refusals = new Set([401, 403, 429]);

/** Counts each call with a key by the capability it takes. */
export function countKeyCalls(api: FastifyInstance, platform: Platform): void {
  onCallOver(api, (request, _reply, status) => {
    const { keyUsed, method, refusedFor } = request;
    if (!keyUsed) return;
    const { key, capability, previousHash } = keyUsed;
    countKeyCall(platform, {
      ...{ keyId: key.id, capability, previousHash, method },
      ...{
        at: platform.clock(),
        address: plain(request.ip),
        path: pathOf(request).replace(serviceApiPath, ''),
      },
      refusedFor: refusals.has(status) ? (refusedFor ?? String(status)) : undefined,
    });
  });
  api.addHook('onClose', () => flushKeyCalls(platform));
}
