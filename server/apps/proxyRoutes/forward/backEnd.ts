import { Pool } from 'undici';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { type DialTarget, lookupOf } from '#server/infra/outside/dial.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { Platform } from '#server/infra/platform.ts';
import { Breaker } from './breaker.ts';
import type { ProxyLimits } from './proxyLimits.ts';
import { Slots } from './slots.ts';

/** How long before a name is resolved and checked again. */
const checkedMs = minuteMs;
/** How long before an unused back end is closed. */
const unusedMs = 10 * minuteMs;
const keepAliveMs = 10_000;
const headerBytesMax = 16 * 1024;

interface Open {
  pool: Pool;
  targetUrl: string;
  /** The origin and all its addresses: if they change, another pool is needed. */
  key: string;
  untilMs: number;
}

/** The state that this process has for the back end of a route: its connections, and how many calls fail. */
export class BackEnd {
  readonly slots: Slots;
  readonly breaker = new Breaker();
  readonly #platform: Pick<Platform, 'outside' | 'clock'>;
  readonly #limits: ProxyLimits;
  #open: Open | undefined;
  #opening: { targetUrl: string; pool: Promise<Pool> } | undefined;
  usedMs = 0;

  constructor(platform: Pick<Platform, 'outside' | 'clock' | 'proxyLimits'>) {
    this.#platform = platform;
    this.#limits = platform.proxyLimits;
    this.slots = new Slots(this.#limits);
  }

  /** A pool that connects only to the checked addresses of a target. */
  pool(targetUrl: string): Pool | Promise<Pool> {
    const open = this.#open;
    if (open?.targetUrl === targetUrl && open.untilMs > this.#platform.clock().getTime()) return open.pool;
    if (this.#opening?.targetUrl === targetUrl) return this.#opening.pool;
    const opening = { targetUrl, pool: this.#look(targetUrl) };
    this.#opening = opening;
    const over = () => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    opening.pool.then(over, over);
    return opening.pool;
  }

  async #look(targetUrl: string): Promise<Pool> {
    const target = await this.#platform.outside.findTarget(targetUrl).catch((error: unknown) => {
      this.close();
      throw unreachable(error);
    });
    const key = [target.url.origin, ...target.addresses.toSorted()].join(' ');
    const untilMs = this.#platform.clock().getTime() + checkedMs;
    if (this.#open?.key === key) {
      this.#open = { ...this.#open, targetUrl, untilMs };
      return this.#open.pool;
    }
    this.close();
    const pool = newPool(target, this.#limits);
    this.#open = { pool, targetUrl, key, untilMs };
    return pool;
  }

  /** Running calls continue; new ones get a new connection. */
  close(): void {
    this.#open?.pool.close().catch(() => undefined);
    this.#open = undefined;
  }

  async destroy(): Promise<void> {
    const { pool } = this.#open ?? {};
    this.#open = undefined;
    await pool?.destroy();
  }
}

/** The app learns only that the back end cannot be reached; the developer finds the cause in the log. */
function unreachable(error: unknown): unknown {
  if (!(error instanceof OutsideFault || (error instanceof Problem && error.reason === 'ADDRESS_REFUSED')))
    return error;
  const problem = new Problem('PROXY_UNREACHABLE');
  problem.cause = error.message;
  return problem;
}

function newPool(target: DialTarget, { connectMs, sockets }: ProxyLimits): Pool {
  return new Pool(target.url.origin, {
    connections: sockets.max,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The call measures timeouts itself, because it knows what it is waiting for.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connect: {
      timeout: connectMs,
      lookup: lookupOf(target.addresses),
      autoSelectFamily: true,
      // Regardless of the environment.
      rejectUnauthorized: true,
      ...(target.ca !== undefined && { ca: target.ca }),
    },
  });
}

const ofPlatform = new WeakMap<Platform, Map<string, BackEnd>>();

function backEndsOf(platform: Platform): Map<string, BackEnd> {
  const known = ofPlatform.get(platform);
  if (known) return known;
  const made = new Map<string, BackEnd>();
  ofPlatform.set(platform, made);
  return made;
}

/** The back end of a route in this process. Moves it to the end of the map, as the most recently used. */
export function backEndOf(platform: Platform, routeId: string): BackEnd {
  const backEnds = backEndsOf(platform);
  const backEnd = backEnds.get(routeId) ?? new BackEnd(platform);
  const nowMs = platform.clock().getTime();
  if (backEnd.usedMs !== nowMs) {
    backEnd.usedMs = nowMs;
    backEnds.delete(routeId);
    backEnds.set(routeId, backEnd);
    closeUnused(backEnds, nowMs);
  }
  return backEnd;
}

/** The back end of a recently called route; undefined if this process has no connections for it. */
export const knownBackEndOf = (platform: Platform, routeId: string) => backEndsOf(platform).get(routeId);

function closeUnused(backEnds: Map<string, BackEnd>, nowMs: number): void {
  for (const [routeId, backEnd] of backEnds) {
    if (backEnd.usedMs > nowMs - unusedMs) return;
    if (backEnd.slots.inUse > 0) continue;
    backEnd.close();
    backEnds.delete(routeId);
  }
}

export async function endBackEnds(platform: Platform): Promise<void> {
  const backEnds = backEndsOf(platform);
  await Promise.all([...backEnds.values()].map(backEnd => backEnd.destroy()));
  backEnds.clear();
}
