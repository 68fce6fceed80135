import { tab } from '#console/core/clientStorage.ts';
import { isObject } from '#rules/json/mergePatch.ts';

/** The device that the simulator runs as. */
export interface Credentials {
  deviceId: string;
  apiKey: string;
  /** When the temporary key expires, in milliseconds since 1970. */
  expiresAt?: number;
  claimCode?: string;
  /** True: the user is new and gets a guide. */
  onboard: boolean;
}

const key = 'mooring.devicesim';

/**
 * Reads the credentials from the address, or after a reload from storage. They are removed from the address at once.
 */
export function takeCredentials(): Credentials | undefined {
  const given = fromQuery(new URLSearchParams(window.location.search));
  if (window.location.search)
    window.history.replaceState(null, '', window.location.pathname + window.location.hash);
  if (given) storeCredentials(given);
  return given ?? kept();
}

export function storeCredentials(credentials: Credentials): void {
  tab.write(key, JSON.stringify(credentials));
}

export function forgetCredentials(): void {
  tab.remove(key);
}

/** Reads the query parameters deviceId, apiKey, exp, claimCode and onboard. */
export function fromQuery(query: URLSearchParams): Credentials | undefined {
  const deviceId = query.get('deviceId')?.trim();
  const apiKey = query.get('apiKey')?.trim();
  if (!deviceId || !apiKey) return undefined;
  const expiresAt = momentOf(query.get('exp'));
  const claimCode = query.get('claimCode')?.trim();
  const onboard = query.get('onboard');
  return {
    deviceId,
    apiKey,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(claimCode && { claimCode }),
    onboard: onboard !== null && onboard !== '0' && onboard !== 'false',
  };
}

/** Parses RFC 3339, or seconds or milliseconds since 1970. */
function momentOf(text: string | null): number | undefined {
  if (!text) return undefined;
  if (!/^\d+$/.test(text)) return Date.parse(text) || undefined;
  const number = Number(text);
  return number < 1e11 ? number * 1000 : number;
}

function kept(): Credentials | undefined {
  const value: unknown = JSON.parse(tab.read(key) ?? 'null');
  if (!isObject(value) || typeof value.deviceId !== 'string' || typeof value.apiKey !== 'string')
    return undefined;
  const { deviceId, apiKey, expiresAt, claimCode, onboard } = value;
  return {
    deviceId,
    apiKey,
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof claimCode === 'string' && { claimCode }),
    onboard: onboard === true,
  };
}
