import { tab } from '#console/clientStorage.ts';
import { isObject } from '#rules/mergePatch.ts';
import { fromQuery, keepCredentials } from '../devicesim/credentials.ts';

/** Which app the simulator plays, and how it was opened. */
export interface Address {
  projectId: string;
  appId: string;
  /** True: whoever opened it is new here. */
  onboard: boolean;
  /** What is known of the project before its config is read: users register with e-mail; devices are created on demand. */
  byEmail: boolean;
  onDemand: boolean;
  /** The claim code of the device that is simulated beside the app; present with a device alone. */
  device?: { id: string; claimCode?: string };
  /** Who is about to sign in, and the home that is opened first; of the first opening alone. */
  email?: string;
  homeId?: string;
  /** A provider sent the browser back to here. */
  cameBackTo?: string;
}

const key = 'mooring.appsim';

/** That of the address bar. What is secret in it, it is freed of at once; what a provider leaves out is remembered. */
export function takeAddress(): Address | undefined {
  const { pathname, search, href } = window.location;
  const [, projectId, appId] = /^\/appsim\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (!projectId || !appId) return undefined;
  const query = new URLSearchParams(search);
  const before = kept(projectId, appId);
  const cameBack = query.has('state') && (query.has('code') || query.has('error'));
  const device = fromQuery(query);
  if (device) keepCredentials(device);
  const address: Address =
    cameBack && before
      ? before
      : {
          ...{ projectId: decodeURIComponent(projectId), appId: decodeURIComponent(appId) },
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

/** Where the simulator of an app is; also where a provider may send the browser back to. */
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
  // Nobody but this file writes it.
  return isThis ? (value as object as Address) : undefined;
}
