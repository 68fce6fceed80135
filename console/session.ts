import type { Developer, LoggedIn } from '#contract/account.ts';
import { isInConsole } from './basepath.ts';
import { shared, tab } from './clientStorage.ts';
import { createStore } from './store.ts';

/** What client storage holds of a session: who, and until when. The secret is in a cookie that scripts cannot read. */
export interface KeptSession {
  developer: Developer;
  /** Seconds the session lasts after its last use. */
  ttl: number;
  expiresAt: string;
  /** Milliseconds since 1970. */
  lastUsed: number;
}

const key = 'mooring.session';
const targetKey = 'mooring.target';
/** Each answered call is a use; writing every one of them down would wake all other tabs each time. */
const touchEveryMs = 15_000;

export const session = createStore<KeptSession | undefined>(kept());

export function startSession({ developer, session: { ttl, expiresAt } }: LoggedIn): void {
  keep({ developer, ttl, expiresAt, lastUsed: Date.now() });
}

/** The account as the server last told it. */
export function updateDeveloper(developer: Developer): void {
  const now = session.get();
  if (now?.developer.id === developer.id) keep({ ...now, developer });
}

export function touchSession(): void {
  const now = session.get();
  if (now && Date.now() - now.lastUsed > touchEveryMs) keep({ ...now, lastUsed: Date.now() });
}

let last: Developer | undefined;

/** Whoever is signed in here, or was before the session ended. */
export const lastDeveloper = (): Developer | undefined => session.get()?.developer ?? last;

export function endSession(): void {
  last = lastDeveloper();
  shared.remove(key);
  session.set(undefined);
}

export function isValid(kept: KeptSession | undefined, now = Date.now()): kept is KeptSession {
  return kept !== undefined && now < Math.min(kept.lastUsed + kept.ttl * 1000, Date.parse(kept.expiresAt));
}

/** Signing out, or in, in one tab does so in all. */
export function watchSession(): void {
  window.addEventListener('storage', event => {
    if (event.key !== key && event.key !== null) return;
    last = lastDeveloper();
    session.set(kept());
  });
}

/** What a call asks for that lists the projects of whoever is signed in. */
export function ofOwn(): { developerId?: string } {
  const kept = session.get();
  return kept ? { developerId: kept.developer.id } : {};
}

/** Where to go after signing in. Only an address of this console is kept. */
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

function keep(next: KeptSession): void {
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

/** Storage can hold anything: an older console's session, or what somebody typed there. */
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
