import type { FastifyInstance } from 'fastify';
import type { Capability } from '#contract/endpoint.ts';
import type { KeyCaller } from '#server/api/endpoints/apiDoor.ts';
import { onCallOver } from '#server/api/http/callOver.ts';
import { pathOf } from '#server/api/httpLog/logHttpCalls.ts';
import { plain } from '#server/apps/keys/findKey.ts';
import { countKeyCall, flushKeyCalls } from '#server/apps/keys/keyUses.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that a call was made with, even if the call was refused. */
    keyUsed?: { key: KeyCaller; capability: Capability; previousHash: Buffer | undefined };
  }
}

/** Paths are stored as the reference shows them. */
const serviceApiPath = /^\/service\/v1/;

/** Statuses that count as refusals. A call that fails otherwise is still a use of the key. */
const refusals = new Set([401, 403, 429]);

/** Counts each call with a key by the capability it requires. */
export function countKeyCalls(api: FastifyInstance, platform: Platform): void {
  onCallOver(api, (request, _reply, status) => {
    const { keyUsed, method, refusedFor } = request;
    if (!keyUsed) return;
    const { key, capability, previousHash } = keyUsed;
    countKeyCall(platform, {
      keyId: key.id,
      capability,
      previousHash,
      method,
      at: platform.clock(),
      address: plain(request.ip),
      path: pathOf(request).replace(serviceApiPath, ''),
      refusedFor: refusals.has(status) ? (refusedFor ?? String(status)) : undefined,
    });
  });
  api.addHook('onClose', () => flushKeyCalls(platform));
}
