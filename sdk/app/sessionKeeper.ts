import type { Tokens } from '#contract/appApi/session.ts';
import { CallFailed } from '#contract/client.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { accessTokenTtlS } from '#rules/time/lifetimes.ts';
import { type Hear, Listeners, type Stop } from '../connection/listeners.ts';
import { inTurn } from './inTurn.ts';
import { Remembered, type Storage } from './memory.ts';
import { randomText } from './random.ts';

interface Kept {
  tokens: Tokens;
  /** By the local clock, which may differ from the server's. */
  freshUntilMs: number;
}

/** A refresh in progress: the same key gets the same answer, however often it is sent. */
interface Refreshing {
  refreshToken: string;
  key: string;
}

type Exchange = (refreshToken: string, idempotencyKey: string) => Promise<Tokens>;

/** Somebody signed in or out. `reason` is set if the session ended in any way but signing out here. */
export interface SessionChange {
  user: Tokens['user'] | undefined;
  reason?: string;
}

/** When a session expires, by the local clock. */
export interface SessionInfo {
  id: string;
  accessEndsAt: Date;
  endsAt: Date;
}

/** An access token is refreshed this long before it expires. */
const marginMs = minuteMs;
/** Reasons that mean the session is over, and not only that it cannot be refreshed at the moment. */
const over = new Set<string>(['SESSION_EXPIRED', 'TOKEN_REUSED', 'USER_SUSPENDED']);

/**
 * Keeps the tokens of a session for all tabs. Only one tab refreshes at a time, and it stores its Idempotency-Key
 * before sending: after a failure, a reload or a fortnight without a network, the same key gets the same answer. Even
 * two concurrent refreshes send the same key.
 */
export class SessionKeeper {
  readonly changes = new Listeners<SessionChange>();
  readonly #kept: Remembered<Kept>;
  readonly #refreshing: Remembered<Refreshing>;
  /** Outlives the session: see `deviceToken` in the reference. */
  readonly #device: Remembered<string>;
  readonly #name: string;
  readonly #exchange: Exchange;
  readonly #channel: BroadcastChannel | undefined;

  constructor(storage: Storage, name: string, exchange: Exchange) {
    this.#name = name;
    this.#exchange = exchange;
    this.#kept = new Remembered(storage, `${name} session`);
    this.#refreshing = new Remembered(storage, `${name} refreshing`);
    this.#device = new Remembered(storage, `${name} device`);
    // Only tabs that share the storage share the session. In Node, an open channel would keep the process alive.
    const isBrowser = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined';
    this.#channel = isBrowser && isOfAllTabs(storage) ? new BroadcastChannel(name) : undefined;
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.changes.emit(data as SessionChange);
  }

  onChange(hear: Hear<SessionChange>): Stop {
    return this.changes.add(hear);
  }

  async user(): Promise<Tokens['user'] | undefined> {
    return (await this.#kept.read())?.tokens.user;
  }

  async session(): Promise<SessionInfo | undefined> {
    const kept = await this.#kept.read();
    if (!kept) return undefined;
    const { sessionId: id, accessExpiresAt, sessionExpiresAt } = kept.tokens;
    const accessEndsMs = kept.freshUntilMs + marginMs;
    const serverAheadMs = Date.parse(accessExpiresAt) - accessEndsMs;
    const endsAt = new Date(Date.parse(sessionExpiresAt) - serverAheadMs);
    return { id, accessEndsAt: new Date(accessEndsMs), endsAt };
  }

  /** Refreshes the tokens before this is necessary. */
  async refresh(): Promise<void> {
    const kept = await this.#kept.read();
    if (kept) await this.tokens(kept.tokens.accessToken);
  }

  /** For the next sign-in on this device. */
  async deviceToken(): Promise<{ deviceToken?: string }> {
    const deviceToken = await this.#device.read();
    return typeof deviceToken === 'string' ? { deviceToken } : {};
  }

  async start(tokens: Tokens): Promise<void> {
    await this.#refreshing.forget();
    await this.#device.write(tokens.deviceToken);
    await this.#store(tokens);
    this.#notify({ user: tokens.user });
  }

  /** Forgets the session here. The server already knows that it ended, or reported it. */
  async end(reason?: string): Promise<void> {
    await this.#kept.forget();
    await this.#refreshing.forget();
    this.#notify({ user: undefined, ...(reason !== undefined && { reason }) });
  }

  /** Undefined: nobody is signed in. `stale` is an access token that was refused. */
  async tokens(stale?: string): Promise<Tokens | undefined> {
    const kept = await this.#kept.read();
    if (!kept || isFresh(kept, stale)) return kept?.tokens;
    return inTurn(this.#name, () => this.#refresh(stale));
  }

  async #refresh(stale: string | undefined): Promise<Tokens | undefined> {
    const kept = await this.#kept.read();
    // Another tab has already refreshed.
    if (!kept || isFresh(kept, stale)) return kept?.tokens;
    const { refreshToken } = kept.tokens;
    const exchanged = await this.#exchange(refreshToken, await this.#keyFor(refreshToken)).catch(endOf);
    const now = await this.#kept.read();
    // Somebody signed out or in meanwhile, so the answer does not belong to the current session.
    if (now?.tokens.refreshToken !== refreshToken) return now?.tokens;
    if (typeof exchanged === 'string') {
      await this.end(exchanged);
      return undefined;
    }
    await this.#store(exchanged);
    await this.#refreshing.forget();
    return exchanged;
  }

  async #keyFor(refreshToken: string): Promise<string> {
    const begun = await this.#refreshing.read();
    if (begun?.refreshToken === refreshToken) return begun.key;
    const key = randomText(32);
    await this.#refreshing.write({ refreshToken, key });
    return key;
  }

  #store(tokens: Tokens): Promise<void> {
    return this.#kept.write({ tokens, freshUntilMs: Date.now() + accessTokenTtlS * 1000 - marginMs });
  }

  #notify(change: SessionChange): void {
    this.changes.emit(change);
    this.#channel?.postMessage(change);
  }
}

/** The reason why the session is over; other errors are passed on to the caller. */
function endOf(error: unknown): string {
  if (error instanceof CallFailed && over.has(error.reason)) return error.reason;
  throw error;
}

/** Any storage except `sessionStorage` may be shared between tabs. */
function isOfAllTabs(storage: Storage): boolean {
  try {
    return storage !== globalThis.sessionStorage;
  } catch {
    // In some browsers, even accessing it throws.
    return true;
  }
}

/**
 * If the clock was set back, a token looks fresh for too long; the server then refuses it, and it is passed as `stale`.
 */
function isFresh({ tokens, freshUntilMs }: Kept, stale: string | undefined): boolean {
  return tokens.accessToken !== stale && freshUntilMs > Date.now();
}
