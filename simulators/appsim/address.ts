import { tab } from '#console/core/clientStorage.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { fromQuery, storeCredentials } from '../devicesim/credentials.ts';

/** The app that the simulator runs, and how it was opened. */
export interface Address {
  projectId: string;
  appId: string;
  /** True: the user is new and gets a guide. */
  onboard: boolean;
  /**
   * What is known about the project before its config is read: users register with e-mail; devices are created on
   * demand.
   */
  byEmail: boolean;
  onDemand: boolean;
  /** The device that is simulated beside the app, with its claim code. */
  device?: { id: string; claimCode?: string };
  /** The user who is about to sign in, and the home to open first; only for the first opening. */
  email?: string;
  homeId?: string;
  /** The URL with which a provider sent the browser back. */
  cameBackTo?: string;
}

const key = 'mooring.appsim';

/**
 * Reads the address bar. Secrets are removed from it at once; parameters that a provider drops are restored from
 * storage.
 */
export function takeAddress(): Address | undefined {
  const { pathname, search, href } = window.location;
  const [, projectId, appId] = /^\/appsim\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (!projectId || !appId) return undefined;
  const query = new URLSearchParams(search);
  const before = kept(projectId, appId);
  const cameBack = query.has('state') && (query.has('code') || query.has('error'));
  const device = fromQuery(query);
  if (device) storeCredentials(device);
  const address: Address =
    cameBack && before
      ? before
      : {
          projectId: decodeURIComponent(projectId),
          appId: decodeURIComponent(appId),
          onboard: isSet(query, 'onboard'),
          byEmail: isSet(query, 'el'),
          onDemand: isSet(query, 'odp'),
          ...(device
            ? { device: { id: device.deviceId, ...(device.claimCode && { claimCode: device.claimCode }) } }
            : before?.device && { device: before.device }),
        };
  tab.write(key, JSON.stringify(address));
  window.history.replaceState(null, '', addressText(address));
  if (cameBack) return { ...address, cameBackTo: href };
  const [email, homeId] = [query.get('email'), query.get('home')];
  return { ...address, ...(email && { email }), ...(homeId && { homeId }) };
}

/** The path of an app's simulator; providers also redirect to it. */
export function appsimUrl({ projectId, appId }: Pick<Address, 'projectId' | 'appId'>): string {
  return `/appsim/${encodeURIComponent(projectId)}/${encodeURIComponent(appId)}`;
}

function addressText(address: Address): string {
  const { byEmail, onboard, onDemand } = address;
  const flags = [byEmail && 'el=1', onboard && 'onboard=1', onDemand && 'odp=1'].filter(Boolean).join('&');
  return appsimUrl(address) + (flags && `?${flags}`) + window.location.hash;
}

function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value !== 'false';
}

function kept(projectId: string, appId: string): Address | undefined {
  const value: unknown = JSON.parse(tab.read(key) ?? 'null');
  const isThis =
    isObject(value) && encodeURIComponent(String(value.projectId)) === projectId && value.appId === appId;
  // Only this file writes this value.
  return isThis ? (value as object as Address) : undefined;
}
