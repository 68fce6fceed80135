import * as accessToken from './accessToken.ts';
import * as account from './account.ts';
import * as alert from './alert.ts';
import * as alertGroup from './alertGroup.ts';
import * as alertMail from './alertMail.ts';
import * as app from './app.ts';
import * as bundle from './bundle.ts';
import * as channel from './channel.ts';
import * as channelFirmware from './channelFirmware.ts';
import * as command from './command.ts';
import * as component from './component.ts';
import * as componentVersion from './componentVersion.ts';
import * as desiredChange from './desiredChange.ts';
import * as device from './device.ts';
import * as deviceBulk from './deviceBulk.ts';
import * as deviceClass from './deviceClass.ts';
import * as deviceClassRevision from './deviceClassRevision.ts';
import * as deviceFirmware from './deviceFirmware.ts';
import * as deviceHealth from './deviceHealth.ts';
import * as deviceState from './deviceState.ts';
import * as deviceView from './deviceView.ts';
import * as emailTemplate from './emailTemplate.ts';
import type { AnyEndpoint, Endpoint } from './endpoint.ts';
import * as finding from './finding.ts';
import * as fleet from './fleet.ts';
import * as gateway from './gateway.ts';
import * as home from './home.ts';
import * as homeDevice from './homeDevice.ts';
import * as key from './key.ts';
import * as log from './log.ts';
import * as logCounts from './logCounts.ts';
import * as logRequest from './logRequest.ts';
import * as moduleData from './moduleData.ts';
import * as moduleRun from './moduleRun.ts';
import * as moduleSchedule from './moduleSchedule.ts';
import * as moduleWebhook from './moduleWebhook.ts';
import * as organization from './organization.ts';
import * as presence from './presence.ts';
import * as project from './project.ts';
import * as proxyCall from './proxyCall.ts';
import * as proxyRoute from './proxyRoute.ts';
import * as quarantine from './quarantine.ts';
import * as rollout from './rollout.ts';
import * as rolloutReport from './rolloutReport.ts';
import * as ruleReplay from './ruleReplay.ts';
import * as service from './service.ts';
import * as smartModule from './smartModule.ts';
import * as stateHistory from './stateHistory.ts';
import * as stats from './stats.ts';
import * as team from './team.ts';
import * as timeline from './timeline.ts';
import * as user from './user.ts';
import * as userAuthMethod from './userAuthMethod.ts';

/** The nouns of the developer API, in the order of the reference. */
export const nouns: Record<string, Record<string, unknown>> = {
  'Auth and account': account,
  'Access tokens': accessToken,
  Organizations: organization,
  Projects: project,
  Statistics: stats,
  Team: team,
  'Device classes': { ...deviceClass, ...deviceClassRevision, ...quarantine },
  Fleet: { ...fleet, ...finding },
  Devices: { ...device, ...presence, ...deviceHealth },
  'Device views': deviceView,
  'Device connection': gateway,
  'Bulk device operations': deviceBulk,
  'Device state and events': { ...deviceState, ...desiredChange, ...stateHistory },
  Commands: command,
  Alerts: { ...alert, ...alertGroup, ...alertMail },
  'Device logs': { ...logRequest, ...timeline },
  Components: component,
  'Component versions': componentVersion,
  Bundles: bundle,
  Channels: { ...channel, ...channelFirmware },
  Rollouts: { ...rollout, ...rolloutReport },
  'Device firmware': deviceFirmware,
  Logs: { ...log, ...logCounts },
  'E-mail templates': emailTemplate,
  'Sign-in methods': userAuthMethod,
  Apps: app,
  Keys: key,
  'Proxy routes': { ...proxyRoute, ...proxyCall },
  Users: user,
  Homes: { ...home, ...homeDevice },
  'Smart modules': { ...smartModule, ...moduleRun, ...moduleWebhook, ...moduleSchedule, ...ruleReplay },
  'Data of smart modules': moduleData,
};

export function isEndpoint(value: unknown): value is AnyEndpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  );
}

/** The endpoints of a noun, in the order they are declared. */
export function callsOf<E extends AnyEndpoint = Endpoint>(noun: Record<string, unknown>): E[] {
  return Object.values(noun)
    .filter((value): value is E => isEndpoint(value))
    .sort((a, b) => a.order - b.order);
}

/** Every endpoint of the developer API. */
export const endpoints: Endpoint[] = Object.values(nouns).flatMap(noun => callsOf(noun));

/**
 * Every endpoint of the service API: the calls of the developer API that keys may make, and those that only keys may
 * make.
 */
export const serviceEndpoints: Endpoint[] = [...callsOf(service), ...endpoints].filter(
  ({ capability }) => capability !== undefined,
);
