import { isIP } from 'node:net';
import { Problem } from '#contract/problem.ts';
import { keyGrace } from '#rules/time/lifetimes.ts';
import type { KeyEdit } from './store.ts';

/** Validates the fields of a key and returns them as they are stored. */
export function checkKey<Given extends KeyEdit>(given: Given, now: Date): Given {
  const { addresses, expiresAt } = given;
  if (expiresAt && new Date(expiresAt) <= now) throw past('expiresAt');
  if (!addresses) return given;
  const unfit = addresses.findIndex(entry => !isAddressOrNetwork(entry));
  if (unfit >= 0)
    throw new Problem('ADDRESS_LIST_UNFIT', { fields: { [`addresses.${unfit}`]: 'ADDRESS_LIST_UNFIT' } });
  return { ...given, addresses: [...new Set(addresses)] };
}

/** A previous secret works only for a limited time, in case it is forgotten. */
export function checkGrace(until: string, now: Date): string {
  const inS = (new Date(until).getTime() - now.getTime()) / 1000;
  if (inS <= 0 || inS > keyGrace.maxS) throw past('until');
  return until;
}

function past(field: string): Problem {
  return new Problem('EXPIRY_PAST', { fields: { [field]: 'EXPIRY_PAST' } });
}

function isAddressOrNetwork(entry: string): boolean {
  const [, address = '', bits] = /^([\d.]+|[\da-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 6 ? 128 : 32);
}
