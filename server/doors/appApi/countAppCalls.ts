import type { FastifyInstance, FastifyReply } from 'fastify';
import { readAppConfig } from '#contract/appApi/config.ts';
import { onCallOver } from '#server/api/http/callOver.ts';
import { countAppCall, flushAppCalls } from '#server/apps/apps/appCalls.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Counts each call of an existing app, for its figures. */
export function countAppCalls(api: FastifyInstance, platform: Platform): void {
  onCallOver(api, ({ loggedCaller, routeOptions }, reply, status) => {
    const app = loggedCaller?.app;
    if (!app) return;
    countAppCall(platform, {
      projectId: app.projectId,
      appId: app.id,
      userId: loggedCaller.endUser?.id,
      at: platform.clock(),
      ms: isStream(reply, status) ? undefined : reply.elapsedTime,
      isConfigRead: (routeOptions.url ?? '').endsWith(readAppConfig.path) && status < 400,
    });
  });
  api.addHook('onClose', () => flushAppCalls(platform));
}

function isStream(reply: FastifyReply, status: number): boolean {
  return status === 101 || String(reply.getHeader('content-type')).startsWith('text/event-stream');
}
