import { createPrivateKey, createSecretKey } from 'node:crypto';
import { RecentMemory } from '#server/infra/pace/recentMemory.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Signer } from './forward/signMessage.ts';
import type { ProxyRouteRow } from './proxyRouteRow.ts';
import { onRoutesChanged } from './routeNotices.ts';
import type { SealedKey } from './signingKeys.ts';
import { type KeyedRoute, keyedRoutesOf } from './store.ts';

/** The properties by which calls are matched: of a route, or of a draft of one. */
export type Matched = Pick<
  ProxyRouteRow,
  | 'resource'
  | 'sourcePath'
  | 'targetUrl'
  | 'suspended'
  | 'homeIds'
  | 'deviceClasses'
  | 'entityClasses'
  | 'entityIds'
  | 'homeRoles'
  | 'webSocket'
> & { id: string };

export interface KnownRoute extends Matched {
  projectId: string;
  watchedUntil: Date | null;
  /** The keys that sign calls now: the current one, and the previous one until its time is over. */
  signersAt: (now: Date) => readonly Signer[];
}

/** How long routes are cached without querying the database, unless the bus announces a change. */
const bounds = { trustMs: 5_000, max: 2_000 };

const memories = new WeakMap<Platform, RecentMemory<readonly KnownRoute[]>>();

function memoryOf(platform: Platform): RecentMemory<readonly KnownRoute[]> {
  const known = memories.get(platform);
  if (known) return known;
  const memory = new RecentMemory<readonly KnownRoute[]>(bounds);
  onRoutesChanged(platform, projectId => memory.outdate(projectId));
  memories.set(platform, memory);
  return memory;
}

/** The routes of a project, oldest first. */
export async function knownRoutes(
  platform: Platform,
  projectId: string,
  now: Date,
): Promise<readonly KnownRoute[]> {
  const found = await memoryOf(platform).find(projectId, now.getTime(), async () => {
    const rows = await keyedRoutesOf(platform.db, projectId, now);
    return { value: rows.map(row => toKnown(platform, row)), about: projectId };
  });
  return found ?? [];
}

function toKnown(platform: Platform, row: KeyedRoute): KnownRoute {
  const { algorithm, keyId, sealed, previousAlgorithm, previousId, previousSealed, previousUntil } = row;
  const current = [signerOf(platform, { algorithm, keyId, sealed })];
  const hasPrevious = previousAlgorithm && previousId && previousSealed && previousUntil;
  const both = hasPrevious
    ? [
        ...current,
        signerOf(platform, { algorithm: previousAlgorithm, keyId: previousId, sealed: previousSealed }),
      ]
    : current;
  return {
    ...row,
    signersAt: now => (previousUntil && previousUntil > now ? both : current),
  };
}

function signerOf({ sealing }: Pick<Platform, 'sealing'>, { algorithm, keyId, sealed }: SealedKey): Signer {
  const text = sealing.open(sealed);
  const key = algorithm === 'ed25519' ? createPrivateKey(text) : createSecretKey(Buffer.from(text));
  return { algorithm, keyId, key };
}
