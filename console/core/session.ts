import type { Developer, LoggedIn } from '#contract/account.ts';
import { isInConsole } from './basepath.ts';
import { shared, tab } from './clientStorage.ts';
import { serverNow } from './serverClock.ts';
import { createStore } from './store.ts';

/**
 * The part of a session in client storage: who is signed in, and until when. The secret is in a cookie that scripts
 * cannot read.
 */
export interface KeptSession {
  developer: Developer;
  /** In seconds, how long the session lasts after its last use. */
  ttl: number;
  expiresAt: string;
  /** Milliseconds since 1970, on the clock of the server. */
  lastUsed: number;
}

const key = 'mooring.session';
const targetKey = 'mooring.target';
/** Each successful call counts as a use; storing every one would wake all other tabs each time. */
const touchEveryMs = 15_000;

export const session = createStore<KeptSession | undefined>(kept());

export function startSession({ developer, session: { ttl, expiresAt } }: LoggedIn): void {
  storeSession({ developer, ttl, expiresAt, lastUsed: serverNow() });
}

/** Stores the account as last returned by the server. */
export function updateDeveloper(developer: Developer): void {
  const now = session.get();
  if (now?.developer.id === developer.id) storeSession({ ...now, developer });
}

export function touchSession(): void {
  const now = session.get();
  if (now && Math.abs(serverNow() - now.lastUsed) > touchEveryMs)
    storeSession({ ...now, lastUsed: serverNow() });
}

let last: Developer | undefined;

/** The developer who is signed in here, or was before the session ended. */
export const lastDeveloper = (): Developer | undefined => session.get()?.developer ?? last;

export function endSession(): void {
  last = lastDeveloper();
  shared.remove(key);
  session.set(undefined);
}

export function isValid(kept: KeptSession | undefined, now = serverNow()): kept is KeptSession {
  return kept !== undefined && now < Math.min(kept.lastUsed + kept.ttl * 1000, Date.parse(kept.expiresAt));
}

/** The session, unless its time is over: then it ends here, as nothing else would notice while the computer sleeps. */
export function currentSession(): KeptSession | undefined {
  const now = session.get();
  if (now === undefined || isValid(now)) return now;
  endSession();
  return undefined;
}

/** Signing in or out in one tab does so in all tabs. */
export function watchSession(): void {
  window.addEventListener('storage', event => {
    if (event.key !== key && event.key !== null) return;
    last = lastDeveloper();
    session.set(kept());
  });
}

/** The query that limits a list of projects to those of the signed-in developer. */
export function ofOwn(): { developerId?: string } {
  const kept = session.get();
  return kept ? { developerId: kept.developer.id } : {};
}

/** Where to go after signing in. Only addresses of this console are accepted. */
export function saveTarget(href: string): void {
  if (isOwnPath(href)) tab.write(targetKey, href);
}

export function takeTarget(): string | undefined {
  const href = tab.read(targetKey);
  tab.remove(targetKey);
  return href !== undefined && isOwnPath(href) ? href : undefined;
}

function isOwnPath(href: string): boolean {
  if (!href.startsWith('/')) return false;
  const { origin, pathname } = new URL(href, window.location.origin);
  return origin === window.location.origin && isInConsole(pathname);
}

function storeSession(next: KeptSession): void {
  shared.write(key, JSON.stringify(next));
  session.set(next);
}

function kept(): KeptSession | undefined {
  try {
    const value: unknown = JSON.parse(shared.read(key) ?? 'null');
    return isKeptSession(value) && isValid(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Storage can contain anything: a session of an older console, or something entered by hand. */
function isKeptSession(value: unknown): value is KeptSession {
  if (typeof value !== 'object' || value === null) return false;
  const { developer, ttl, expiresAt, lastUsed } = value as Partial<KeptSession>;
  return (
    typeof ttl === 'number' &&
    typeof lastUsed === 'number' &&
    typeof expiresAt === 'string' &&
    typeof developer?.id === 'string' &&
    typeof developer.email === 'string'
  );
}
