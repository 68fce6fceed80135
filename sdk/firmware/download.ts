import { minuteMs } from '#rules/time/durations.ts';
import { Busy } from '#sdk/busy.ts';
import type { Fetch } from '#sdk/fetch.ts';
import { UpdateFault } from './updateFault.ts';
import type { Wait } from './wait.ts';

export interface Download {
  /** In bytes. */
  size: number;
  /** How many bytes are already stored. */
  offset: number;
  /** Called before each request, because links expire. */
  url: () => string;
  /** Writes at an offset; after a crash, the same bytes are written again. */
  write: (bytes: Uint8Array, offset: number) => void | Promise<void>;
  /** Stores how much has been written. Called every 64 KiB, and at the end. */
  save: (offset: number) => void | Promise<void>;
  /** Called when the link is no longer valid: reads the target, so that `url` returns a new one. */
  renew: () => Promise<void>;
  fetch: Fetch;
  wait: Wait;
  signal: AbortSignal;
  /** A server that sends less than 1 KiB within this time has stalled. */
  stallMs?: number;
}

const keepEveryBytes = 64 * 1024;
/** The maximum number of consecutive requests without progress. */
const triesMax = 5;
const pauseMs = 1_000;
const busyMax = 20;
const stall = { ms: minuteMs, bytesMin: 1024 };

/** The position of a download. */
interface Position {
  offset: number;
  keptAt: number;
}

/**
 * Downloads one file with range requests and resumes where it broke off. Never appends bytes that do not belong there:
 * an answer with the whole file starts at 0. Whether it is the right file is verified by its checksum.
 */
export async function download(given: Download): Promise<void> {
  const at: Position = { offset: given.offset, keptAt: given.offset };
  let [best, failures, refusals] = [at.offset, 0, 0];
  while (at.offset < given.size) {
    const outcome = await request(given, at).catch((error: unknown) => {
      given.signal.throwIfAborted();
      if (error instanceof Broken) return error;
      throw error;
    });
    if (outcome === 'complete') return;
    if (at.offset > best) [best, failures, refusals] = [at.offset, 0, 0];
    else if (outcome instanceof Busy) refusals += 1;
    else failures += 1;
    if (refusals === busyMax) throw new UpdateFault('server_busy', 'The server is overloaded.');
    if (failures === triesMax) throw faultOf(outcome);
    if (outcome instanceof Busy) await given.wait(outcome.ms, given.signal);
    else if (failures > 0) await given.wait(pauseMs * failures, given.signal);
  }
}

/** The server does not answer, or stopped answering. */
class Broken extends Error {}
class Stalled extends Broken {}

type Outcome = 'complete' | 'expired' | 'moved' | Busy | Broken;

function faultOf(outcome: Outcome): UpdateFault {
  if (outcome === 'expired') return new UpdateFault('url_expired', 'The server refuses the link.');
  if (outcome === 'moved')
    return new UpdateFault('network', 'The server sent a different range than requested.');
  const cause = outcome instanceof Broken ? outcome : undefined;
  const code = cause instanceof Stalled ? 'timeout' : 'network';
  return new UpdateFault(code, cause?.message ?? 'The file cannot be downloaded.', { cause });
}

/** Makes one request and writes what it returns. */
async function request(given: Download, at: Position): Promise<Outcome> {
  const stop = new AbortController();
  const signal = AbortSignal.any([given.signal, stop.signal]);
  const headers = { 'accept-encoding': 'identity', ...(at.offset > 0 && { range: `bytes=${at.offset}-` }) };
  let received = 0;
  const watch = setInterval(() => {
    if (received < stall.bytesMin) stop.abort();
    received = 0;
  }, given.stallMs ?? stall.ms);
  const broken = (error: unknown): never => {
    if (stop.signal.aborted) throw new Stalled('The server has stalled.', { cause: error });
    throw new Broken('The connection was lost.', { cause: error });
  };
  try {
    const answer = await given.fetch(given.url(), { headers, signal }).catch(broken);
    const outcome = await outcomeOf(answer, given, at);
    if (outcome || !answer.body) return outcome ?? new Broken('The answer is empty.');
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(broken);
      if (done) return new Broken('The connection was lost.');
      received += value.length;
      await take(value, given, at);
      if (at.offset === given.size) return 'complete';
    }
  } finally {
    clearInterval(watch);
    // Aborts the rest of the answer.
    stop.abort();
  }
}

/** Undefined: the body has the requested range. */
async function outcomeOf(answer: Response, given: Download, at: Position): Promise<Outcome | undefined> {
  const { status, headers } = answer;
  if (status === 206) {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (total !== undefined && total !== '*') expectSize(Number(total), given.size);
    if (Number(from) === at.offset) return undefined;
    await restart(given, at);
    return 'moved';
  }
  if (status === 200) {
    const length = headers.get('content-encoding') ? null : headers.get('content-length');
    if (length !== null) expectSize(Number(length), given.size);
    if (at.offset > 0) await restart(given, at);
    return undefined;
  }
  // According to the server, everything is stored; the checksum decides.
  if (status === 416) return 'complete';
  if (status === 403) {
    await given.renew();
    return 'expired';
  }
  if (Busy.is(answer)) return new Busy(answer);
  return new Broken(`The server answers ${status}.`);
}

async function restart(given: Download, at: Position): Promise<void> {
  at.offset = 0;
  at.keptAt = 0;
  await given.save(0);
}

/** Writes in blocks; the offset is stored after each. */
async function take(piece: Uint8Array, given: Download, at: Position): Promise<void> {
  if (at.offset + piece.length > given.size) expectSize(at.offset + piece.length, given.size);
  for (let from = 0; from < piece.length; ) {
    const block = piece.subarray(from, from + keepEveryBytes - (at.offset - at.keptAt));
    await given.write(block, at.offset);
    given.signal.throwIfAborted();
    at.offset += block.length;
    from += block.length;
    if (at.offset - at.keptAt < keepEveryBytes && at.offset < given.size) continue;
    await given.save(at.offset);
    at.keptAt = at.offset;
  }
}

function expectSize(is: number, expected: number): void {
  if (is === expected) return;
  throw new UpdateFault('hash_mismatch', `The file has ${is} bytes, not ${expected}.`);
}
