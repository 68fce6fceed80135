import type { PrivateTargets } from './addresses.ts';
import type { DialTarget } from './dial.ts';
import { type Answered, exchange, type Sent } from './exchange.ts';
import { faultOf, OutsideFault, refused } from './faults.ts';
import { type Resolve, resolve as resolveByDns } from './resolve.ts';
import { checkTarget, type Rules, type Target } from './target.ts';

export interface OutsideRequest {
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Limit for the decompressed body of the answer. */
  bytesMax: number;
  /** True: a longer body is cut; otherwise it is an error. */
  cutsBody?: boolean;
  /** Limit for the whole call: DNS lookups, redirects, up to the last byte. */
  timeoutMs?: number;
  /** None by default; only a GET follows redirects. */
  redirectsMax?: 0 | 1 | 2 | 3;
  /** Aborts the call, for example when the server stops. */
  signal?: AbortSignal | undefined;
}

export interface OutsideAnswer extends Answered {
  /** The URL that answered last. */
  url: string;
}

/** The platform's only way to call a URL that someone else has chosen. */
export interface Outside {
  /** Fails with the problem ADDRESS_REFUSED, or with an OutsideFault if the call fails. */
  fetchOutside(address: string, asked: OutsideRequest): Promise<OutsideAnswer>;
  /** Only checks a URL that is stored to be called later. */
  checkOutside(address: string): Promise<void>;
  /** Checks a URL for a long-lived connection, and returns the addresses to connect to. */
  findTarget(address: string): Promise<DialTarget>;
}

export interface OutsideGiven {
  allowed: PrivateTargets;
  own: () => readonly string[];
  resolve?: Resolve | undefined;
  ca?: string | undefined;
}

const timeoutDefaultMs = 10_000;
const connectMs = 5_000;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers that must reach only the first host. */
const ownHeaders = new Set(['authorization', 'cookie']);

/**
 * Resolves the name, checks all its addresses, and connects to a checked one: DNS cannot change the address between the
 * check and the connection. Each redirect is a new URL that is checked like the first.
 */
export function createOutside({ allowed, own, resolve = resolveByDns, ca }: OutsideGiven): Outside {
  const rules: Rules = { allowed, own, resolve };

  async function follow(first: string, asked: OutsideRequest, signal: AbortSignal): Promise<OutsideAnswer> {
    const { method = 'GET', bytesMax, cutsBody = false } = asked;
    const redirectsMax = method === 'GET' ? (asked.redirectsMax ?? 0) : 0;
    let target = await checkTarget(first, rules, signal);
    let sent: Sent = { method, headers: asked.headers ?? {}, body: asked.body };
    for (let redirected = 0; ; redirected++) {
      const answer = await exchange(target, sent, { bytesMax, cutsBody, connectMs, signal, ca });
      const next = redirectsMax > 0 ? redirectOf(target, answer) : undefined;
      if (next === undefined) return { ...answer, url: target.url.href };
      if (redirected === redirectsMax) throw new OutsideFault('There are too many redirects.');
      const from = target;
      target = await checkTarget(next, rules, signal);
      sent = { ...sent, headers: headersFor(sent.headers, from, target) };
    }
  }

  return {
    async fetchOutside(address, asked) {
      const { timeoutMs = timeoutDefaultMs } = asked;
      const bounds = (signal: AbortSignal) =>
        asked.signal ? AbortSignal.any([signal, asked.signal]) : signal;
      return withinTime(timeoutMs, signal => follow(address, asked, bounds(signal)));
    },
    async checkOutside(address) {
      await withinTime(timeoutDefaultMs, signal => checkTarget(address, rules, signal));
    },
    async findTarget(address) {
      const target = await withinTime(timeoutDefaultMs, signal => checkTarget(address, rules, signal));
      return { ...target, ca };
    },
  };
}

async function withinTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeoutMs);
  try {
    return await work(over.signal);
  } catch (error) {
    if (over.signal.aborted)
      throw new OutsideFault(`The server did not answer within ${timeoutMs / 1000} s.`);
    throw faultOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function redirectOf({ url }: Target, { status, headers }: Answered): string | undefined {
  const location = headers.get('location');
  if (!redirects.has(status) || location === null) return undefined;
  if (!URL.canParse(location, url)) throw new OutsideFault('The server redirects to an invalid address.');
  const next = new URL(location, url);
  next.hash = '';
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw refused('The server redirects to an unencrypted address.');
  return next.href;
}

function headersFor(headers: Sent['headers'], from: Target, to: Target): Sent['headers'] {
  if (from.url.origin === to.url.origin) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase())));
}
