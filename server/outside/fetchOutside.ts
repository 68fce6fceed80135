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
  /** Of the answer's body, unpacked. */
  bytesMax: number;
  /** True: a longer body is cut there, else it is a fault. */
  cutsBody?: boolean;
  /** Of everything: look-ups, redirects, the last byte. */
  timeoutMs?: number;
  /** None unless said; only a GET follows any. */
  redirectsMax?: 0 | 1 | 2 | 3;
  /** Ends the call before its time, as when the server stops. */
  signal?: AbortSignal | undefined;
}

export interface OutsideAnswer extends Answered {
  /** Who answered at last. */
  url: string;
}

/** The platform's only way out to an address that somebody else has chosen. */
export interface Outside {
  /** Fails with the problem ADDRESS_REFUSED, or an OutsideFault when the call came to nothing. */
  fetchOutside(address: string, asked: OutsideRequest): Promise<OutsideAnswer>;
  /** The same check without the call, for an address that is kept to be called later. */
  checkOutside(address: string): Promise<void>;
  /** The same, for a connection that is kept: the addresses that it may be dialled at. */
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
/** Meant for one host alone. */
const ownHeaders = new Set(['authorization', 'cookie']);

/**
 * Resolves the name, checks every address it has, and dials a checked one: what is decided and what is done cannot
 * drift apart, whatever DNS says in between. Each redirect is a new address and is checked like the first.
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
