import type { Platform } from '#server/infra/platform.ts';
import type { Session } from './session.ts';

const sessionsMax = 10_000;

const ofPlatform = new WeakMap<Platform, Map<string, Session>>();

function sessionsOf(platform: Platform): Map<string, Session> {
  const known = ofPlatform.get(platform);
  if (known) return known;
  const made = new Map<string, Session>();
  ofPlatform.set(platform, made);
  return made;
}

/** Caches a session, so that the next call can read it again together with the row it is about. */
export function rememberSession(platform: Platform, session: Session): void {
  const sessions = sessionsOf(platform);
  const key = session.hash.toString('base64');
  sessions.delete(key);
  sessions.set(key, { ...session });
  const oldest = sessions.size > sessionsMax ? sessions.keys().next().value : undefined;
  if (oldest !== undefined) sessions.delete(oldest);
}

export function forgetSession(platform: Platform, { hash }: Pick<Session, 'hash'>): void {
  sessionsOf(platform).delete(hash.toString('base64'));
}

/** Tells who the caller probably is, but not what they may do. */
export function rememberedSession(platform: Platform, hash: Buffer): Session | undefined {
  const known = sessionsOf(platform).get(hash.toString('base64'));
  return known && { ...known, isRemembered: true };
}
