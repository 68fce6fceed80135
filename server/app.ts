import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { endpoints } from '#contract/all.ts';
import { accessTokens } from './accounts/accessTokens/routes.ts';
import { accounts } from './accounts/developers/routes.ts';
import { organizations } from './accounts/organizations/routes.ts';
import type { Resource } from './api/access/access.ts';
import type { Constraints } from './api/endpoints/constraints.ts';
import { developerDoor } from './api/endpoints/developerDoor.ts';
import { idempotency } from './api/endpoints/idempotency.ts';
import { Limits } from './api/endpoints/limits.ts';
import { mount } from './api/endpoints/mount.ts';
import type { Route } from './api/endpoints/route.ts';
import { files } from './api/files/receiveFile.ts';
import { bodyBytesMax, readBodies } from './api/http/body.ts';
import { guard } from './api/http/guard.ts';
import { safeHeaders } from './api/http/headers.ts';
import { noSuchCall } from './api/http/noSuchCall.ts';
import { health } from './api/http/probes.ts';
import { answerInOurWords, answerProblem } from './api/http/problems.ts';
import { refuseSlowBodies } from './api/http/slowBodies.ts';
import { refuseUnfitAddresses } from './api/http/unfitAddresses.ts';
import { refuseUnreadable } from './api/http/unreadable.ts';
import { isWebSocketUpgrade, receiveUpgrades } from './api/http/upgrades.ts';
import { installation } from './api/installation/slice.ts';
import { logs } from './api/logs/slice.ts';
import { pageFiles } from './api/pages/pageFiles.ts';
import { consoleFiles } from './api/pages/static.ts';
import { retention } from './api/retention/slice.ts';
import { sessions } from './api/sessions/slice.ts';
import type { Slice } from './api/slice.ts';
import { keys } from './apps/keys/routes.ts';
import { publicKeys } from './apps/proxy/publicKeys.ts';
import { proxyRoutes } from './apps/proxyRoutes/routes.ts';
import { apps } from './apps/registry/routes.ts';
import { streams } from './apps/streams/routes.ts';
import { keyValues } from './classes/keyValues/routes.ts';
import { deviceClasses } from './classes/registry/routes.ts';
import { alertActions } from './devices/alerts/actions/routes.ts';
import { alertMails } from './devices/alerts/mails/routes.ts';
import { alerts } from './devices/alerts/routes.ts';
import { deviceBulk } from './devices/bulk/routes.ts';
import { commands } from './devices/commands/routes.ts';
import { desiredChanges } from './devices/desired/slice.ts';
import { deviceEvents } from './devices/events/routes.ts';
import { fleet } from './devices/fleet/routes.ts';
import { stateHistory } from './devices/history/routes.ts';
import { deviceImports } from './devices/imports/routes.ts';
import { logRequests } from './devices/logRequests/routes.ts';
import { presence } from './devices/presence/routes.ts';
import { devices } from './devices/registry/routes.ts';
import { deviceViews } from './devices/registry/views/routes.ts';
import { deviceState } from './devices/state/routes.ts';
import { appApi, appApiPrefix } from './doors/appApi/appApi.ts';
import { filesDoor } from './doors/files/door.ts';
import { doorsOf } from './doors/gateway/addresses/doorsOf.ts';
import { doors } from './doors/gateway/addresses/routes.ts';
import type { Gateway } from './doors/gateway/gateway.ts';
import { reference } from './doors/reference/reference.ts';
import { serviceApi, serviceApiPrefix } from './doors/serviceApi/serviceApi.ts';
import { bundles } from './firmware/bundles/routes.ts';
import { channels } from './firmware/channels/routes.ts';
import { components } from './firmware/components/routes.ts';
import { firmwareDeltas } from './firmware/deltas/slice.ts';
import { rolloutOutcomes } from './firmware/outcomes/slice.ts';
import { rollouts } from './firmware/rollouts/routes.ts';
import { deviceFirmware } from './firmware/targets/routes.ts';
import type { Config } from './infra/config.ts';
import type { Pulse } from './infra/db/pulse.ts';
import { RepeatThrottle } from './infra/pace/repeatThrottle.ts';
import type { Platform } from './infra/platform.ts';
import { outbox } from './mail/outbox/outbox.ts';
import { mail } from './mail/sending/slice.ts';
import { previewPage } from './mail/templates/previewPage.ts';
import { emailTemplates } from './mail/templates/routes.ts';
import { moduleActions } from './modules/actions/slice.ts';
import { moduleData } from './modules/data/slice.ts';
import { moduleDispatch } from './modules/dispatch/routes.ts';
import { moduleEvents } from './modules/events/routes.ts';
import { moduleManagement } from './modules/management/routes.ts';
import { moduleNotify } from './modules/notify/slice.ts';
import { smartModules } from './modules/registry/slice.ts';
import { ruleReplay } from './modules/replay/routes.ts';
import { moduleRests } from './modules/rests/slice.ts';
import { moduleRules } from './modules/rules/slice.ts';
import { moduleRuns } from './modules/runs/routes.ts';
import { moduleSchedules } from './modules/schedules/slice.ts';
import { moduleWarnings } from './modules/warnings/slice.ts';
import { moduleWebhooks } from './modules/webhooks/slice.ts';
import { userAccounts } from './people/accounts/slice.ts';
import { userExports } from './people/exports/routes.ts';
import { homeAlerts } from './people/homeAlerts/slice.ts';
import { homeDevices } from './people/homeDevices/routes.ts';
import { homeEvents } from './people/homeEvents/routes.ts';
import { homeDeletion } from './people/homes/deletion/routes.ts';
import { homes } from './people/homes/routes.ts';
import { homeInvitations } from './people/invitations/routes.ts';
import { userMails } from './people/mails/slice.ts';
import { userManagement } from './people/management/routes.ts';
import { myDevicesSlice } from './people/myDevices/routes.ts';
import { endAlertMailsPage } from './people/pages/endAlertMailsPage.ts';
import { userPages } from './people/pages/userPages.ts';
import { userSessions } from './people/sessions/slice.ts';
import { userMethods } from './people/signIn/routes.ts';
import { userAuthMethods } from './people/userAuthMethods/routes.ts';
import { broughtUsers } from './people/users/brought/routes.ts';
import { users } from './people/users/routes.ts';
import { logEntries } from './projects/logEntries/routes.ts';
import { stats } from './projects/overview/routes.ts';
import { projects } from './projects/registry/routes.ts';
import { sampleDevicesSlice } from './projects/sample/makeSampleDevices.ts';
import { team } from './projects/team/routes.ts';

const refusalsMs = 60_000;
const bodyWithinMs = 60_000;

/** All slices, in this order. Everything that covers all nouns derives from this list. */
export const slices: readonly Slice[] = [
  ...[accounts, sessions, accessTokens, organizations, idempotency, mail, files, doors],
  installation,
  ...[projects, stats, team, emailTemplates, userAuthMethods],
  ...[apps, keys, users, userMethods, userSessions, userMails, userAccounts, homes],
  ...[homeInvitations, homeDeletion, userManagement, userExports],
  ...[broughtUsers, homeEvents, streams],
  ...[deviceClasses, keyValues, devices, presence, fleet, deviceState, desiredChanges, stateHistory],
  ...[deviceEvents, alerts, alertActions, alertMails, commands],
  ...[homeDevices, homeAlerts, myDevicesSlice, proxyRoutes],
  ...[components, firmwareDeltas, bundles, channels, rolloutOutcomes, rollouts, deviceFirmware],
  ...[smartModules, moduleData, moduleWebhooks, moduleNotify, moduleSchedules],
  ...[moduleActions, moduleRests, moduleRules],
  ...[moduleEvents, moduleRuns, moduleDispatch, moduleManagement, moduleWarnings, ruleReplay],
  ...[deviceBulk, deviceImports, deviceViews, sampleDevicesSlice],
  ...[logs, logEntries, logRequests, retention],
];

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
    prefix: '/api',
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
  await reference(app, { publicUrl: platform.publicUrl, doors: () => doorsOf(platform) });
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

interface ApiParts {
  routes: readonly Route[];
  resources: Readonly<Record<string, Resource>>;
  constraints: Constraints;
}

function developerApi(
  api: FastifyInstance,
  platform: Platform,
  { routes, resources, constraints }: ApiParts,
): void {
  readBodies(api);
  guard(api, platform);
  const limits = new Limits(platform.config.rateLimits);
  const refusals = new RepeatThrottle(refusalsMs);
  const door = developerDoor(platform, { resources, limits });
  for (const route of routes) mount(api, route, { platform, door, limits, refusals, constraints });
  noSuchCall(api, endpoints, /^\/api/);
}
