import type { FastifyInstance, FastifyReply } from 'fastify';
import { readAppConfig } from '#contract/appApi/config.ts';
import { countAppCall, flushAppCalls } from '#server/apps/appCalls.ts';
import type { Platform } from '#server/platform.ts';

/** Counts each call of an app that there is, for its figures. */
export function countAppCalls(api: FastifyInstance, platform: Platform): void {
  api.addHook('onResponse', async ({ loggedCaller, routeOptions }, reply) => {
    const app = loggedCaller?.app;
    if (!app) return;
    countAppCall(platform, {
      ...{ projectId: app.projectId, appId: app.id, userId: loggedCaller.endUser?.id },
      at: platform.clock(),
      ms: isStream(reply) ? undefined : reply.elapsedTime,
      isConfigRead: (routeOptions.url ?? '').endsWith(readAppConfig.path) && reply.statusCode < 400,
    });
  });
  api.addHook('onClose', () => flushAppCalls(platform));
}

function isStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}
