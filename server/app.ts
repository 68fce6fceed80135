import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { minuteMs } from '#rules/time/durations.ts';
import { bodyBytesMax } from './api/http/body.ts';
import { safeHeaders } from './api/http/headers.ts';
import { health } from './api/http/probes.ts';
import { answerInOurWords, answerProblem } from './api/http/problems.ts';
import { refuseSlowBodies } from './api/http/slowBodies.ts';
import { refuseUnfitAddresses } from './api/http/unfitAddresses.ts';
import { refuseUnreadable } from './api/http/unreadable.ts';
import { isWebSocketUpgrade, receiveUpgrades } from './api/http/upgrades.ts';
import { pageFiles } from './api/pages/pageFiles.ts';
import { consoleFiles } from './api/pages/static.ts';
import { publicKeys } from './apps/proxy/publicKeys.ts';
import { appApi, appApiPrefix } from './doors/appApi/appApi.ts';
import { developerApi, developerApiPrefix } from './doors/developerApi/developerApi.ts';
import { filesDoor } from './doors/files/door.ts';
import { gatewayAddresses } from './doors/gateway/addresses/gatewayAddresses.ts';
import type { Gateway } from './doors/gateway/gateway.ts';
import { reference } from './doors/reference/reference.ts';
import { serviceApi, serviceApiPrefix } from './doors/serviceApi/serviceApi.ts';
import type { Config } from './infra/config.ts';
import type { Pulse } from './infra/db/pulse.ts';
import type { Platform } from './infra/platform.ts';
import { previewPage } from './mail/emailTemplates/previewPage.ts';
import { outbox } from './mail/outbox/outbox.ts';
import { endAlertMailsPage } from './people/pages/endAlertMailsPage.ts';
import { userPages } from './people/pages/userPages.ts';
import { slices } from './slices.ts';

const bodyWithinMs = minuteMs;

/** Longest part of a path the router accepts. Most parts are ids, which are checked against much lower limits. */
const pathPartMax = 4096;

export async function createApp(
  platform: Platform,
  given: { consoleDir: string; state: { draining: boolean }; pulse: Pulse; gateway: Gateway | undefined },
): Promise<FastifyInstance> {
  const { consoleDir, state, pulse, gateway } = given;
  const app = fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: trusted(platform.config.trustProxy),
    genReqId: () => platform.newId('req'),
    routerOptions: { maxParamLength: pathPartMax, ignoreTrailingSlash: true },
    // Longer than a proxy keeps a connection, so that the server never closes one that a proxy is about to use.
    keepAliveTimeout: 72_000,
    requestTimeout: 0, // See `refuseSlowBodies`.
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadable,
    http: { shouldUpgradeCallback: isWebSocketUpgrade },
    frameworkErrors: answerProblem(platform),
    // Calls that arrive during a stop are answered as usual; `stopKeeping` closes their connection afterwards.
    return503OnClosing: false,
  });
  answerInOurWords(app, platform);
  await app.register(cookie);
  stopKeeping(app, state);
  safeHeaders(app, platform);
  refuseUnfitAddresses(app);
  refuseSlowBodies(app, bodyWithinMs);
  health(app, platform, { state, pulse, figures: () => gateway?.figures() ?? [] });
  receiveUpgrades(app);
  gateway?.mount(app);
  const routes = slices.flatMap(slice => slice.routes ?? []);
  const parts = {
    resources: Object.assign({}, ...slices.map(slice => slice.resources ?? {})),
    constraints: Object.assign({}, ...slices.map(slice => slice.constraints ?? {})),
  };
  const ofDevelopers = routes.filter(({ endpoint }) => !endpoint.keysOnly);
  const ofKeys = routes.filter(({ endpoint }) => endpoint.capability !== undefined);
  const ofApps = slices.flatMap(slice => slice.appRoutes ?? []);
  await app.register(async api => developerApi(api, platform, { ...parts, routes: ofDevelopers }), {
    prefix: developerApiPrefix,
  });
  await app.register(async api => serviceApi(api, platform, { ...parts, routes: ofKeys }), {
    prefix: serviceApiPrefix,
  });
  await app.register(async api => appApi(api, platform, { ...parts, slices, routes: ofApps }), {
    prefix: appApiPrefix,
  });
  await filesDoor(app, platform, Object.assign({}, ...slices.map(slice => slice.files ?? {})));
  publicKeys(app, platform);
  await pageFiles(app);
  await userPages(app, platform, { slices, constraints: parts.constraints });
  await endAlertMailsPage(app, platform);
  await reference(app, { publicUrl: platform.publicUrl, gateway: () => gatewayAddresses(platform) });
  previewPage(app);
  await outbox(app, platform);
  await consoleFiles(app, consoleDir);
  return app;
}

/** A stop waits for every connection, so connections that are busy during a stop are closed after their answer. */
function stopKeeping(app: FastifyInstance, state: { draining: boolean }): void {
  app.addHook('onSend', async (_request, reply) => {
    if (state.draining) reply.header('connection', 'close');
  });
}

/** A number is how many proxies are in front of the server. */
function trusted(proxies: Config['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}
