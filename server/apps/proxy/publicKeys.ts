import { createPublicKey } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { knownRoutes } from '#server/apps/proxyRoutes/knownRoutes.ts';
import type { Platform } from '#server/infra/platform.ts';

const freshS = 300;

/**
 * The public keys of a project's proxy routes, as a JSON Web Key Set, so that a back end can verify Ed25519 signatures
 * without a secret. The set is empty for a project that does not exist, as for one without such routes.
 */
export function publicKeys(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { projectId: string } }>(
    '/.well-known/mooring-proxy-keys/:projectId',
    async ({ params }, reply) => {
      const now = platform.clock();
      const routes = await knownRoutes(platform, params.projectId, now);
      const signers = routes.flatMap(route => route.signersAt(now));
      const keys = signers
        .filter(({ algorithm }) => algorithm === 'ed25519')
        .map(({ key, keyId }) => {
          const jwk = createPublicKey(key).export({ format: 'jwk' });
          return { ...jwk, kid: keyId, alg: 'EdDSA', use: 'sig' };
        });
      return reply.header('cache-control', `public, max-age=${freshS}`).send({ keys });
    },
  );
}
