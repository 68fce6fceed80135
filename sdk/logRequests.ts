import type { LogRequestFrame, LogRequestStatusFrame } from '#contract/deviceProtocol.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { Busy } from './busy.ts';
import type { Stop } from './connection/listeners.ts';
import { SendFault } from './connection/sendFault.ts';
import type { Fetch } from './fetch.ts';
import { type LogLevel, logLevels } from './logLevels.ts';
import { shortText } from './shortText.ts';

/** A line of the device's log. */
export interface LogLine {
  ts: Date;
  level: LogLevel;
  text: string;
}

export interface LogRequest {
  id: string;
  start: Date;
  end: Date;
  /** Only lines that start with one of these prefixes; empty: all lines. */
  prefixes: string[];
  /** Resolves with the outcome. `over`: the request was cancelled meanwhile. */
  ended: Promise<LogRequestEnd>;
}
export type LogRequestEnd = 'uploaded' | 'nologs' | 'failure' | 'over';

/** Returns the available lines; the caller filters out those that were not requested. Undefined: there is no log. */
export type LogSource = (request: LogRequest) => Lines | undefined | Promise<Lines | undefined>;
type Lines = Iterable<LogLine> | AsyncIterable<LogLine>;

interface Ways {
  status(id: string, status: LogRequestStatusFrame): Promise<void>;
  fetch: Fetch;
}

const retriesMs = [2_000, 10_000, 30_000];
/** An upload that is slower than this is given up. */
const slowest = { leastMs: minuteMs, bytesPerMs: 2 };
const errorMax = 500;

/** Answers requests for the log: selects the lines, compresses them and uploads them. */
export class LogRequests {
  readonly #ways: Ways;
  readonly #underWay = new Set<string>();
  #source: LogSource | undefined;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  on(source: LogSource): Stop {
    this.#source = source;
    return () => {
      if (this.#source === source) this.#source = undefined;
    };
  }

  /** The platform sends a request again on each connection until it is finished. */
  async take(frame: LogRequestFrame): Promise<void> {
    const { id } = frame;
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    try {
      await this.#answer(frame);
    } catch (error) {
      // The device was closed or the outbox is full; the request will be sent again.
      if (!(error instanceof SendFault)) throw error;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #answer(frame: LogRequestFrame): Promise<void> {
    const { promise: ended, resolve } = Promise.withResolvers<LogRequestEnd>();
    const { status } = this.#ways;
    try {
      const file = await pack(await this.#linesOf(frame, ended));
      if (!file) {
        await status(frame.id, { status: 'nologs' });
        resolve('nologs');
        return;
      }
      await status(frame.id, { status: 'uploading' });
      resolve(await this.#upload(frame.uploadUrl, file));
    } catch (error) {
      if (error instanceof SendFault) throw error;
      const text = error instanceof Error ? error.message : String(error);
      await status(frame.id, { status: 'failure', error: shortText(text, errorMax) });
      resolve('failure');
    }
  }

  async #linesOf(
    { id, start, end, prefixes }: LogRequestFrame,
    ended: Promise<LogRequestEnd>,
  ): Promise<Lines> {
    const request = { id, start: new Date(start), end: new Date(end), prefixes, ended };
    return selected((await this.#source?.(request)) ?? [], request);
  }

  async #upload(url: string, body: Blob): Promise<LogRequestEnd> {
    for (const waitMs of [...retriesMs, undefined]) {
      // No answer, or an error of the platform: a later attempt may succeed.
      const answer = await this.#put(url, body).catch(() => undefined);
      if (answer?.ok) return 'uploaded';
      // The request was cancelled meanwhile, or already answered.
      if (answer?.status === 409) return 'over';
      const busy = answer && Busy.is(answer) ? new Busy(answer) : undefined;
      if (answer && !busy && answer.status < 500)
        throw new Error(`The upload failed with status ${answer.status}.`);
      if (waitMs === undefined) break;
      await new Promise(resolve => setTimeout(resolve, Math.max(waitMs, busy?.ms ?? 0)));
    }
    throw new Error('The upload failed.');
  }

  /** Has a time limit, because a network that swallows packets reports no error. */
  async #put(url: string, body: Blob): Promise<Response> {
    const headers = { 'content-type': 'application/gzip' };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), slowest.leastMs + body.size / slowest.bytesPerMs);
    try {
      return await this.#ways.fetch(url, { method: 'PUT', body, headers, signal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function* selected(lines: Lines, { start, end, prefixes }: LogRequest): AsyncGenerator<LogLine> {
  for await (const line of lines) {
    const isAsked = prefixes.length === 0 || prefixes.some(prefix => line.text.startsWith(prefix));
    if (isAsked && line.ts >= start && line.ts < end) yield line;
  }
}

/** Compresses the lines as JSON lines with gzip. Undefined: there are none. */
async function pack(lines: Lines): Promise<Blob | undefined> {
  const gzip = new CompressionStream('gzip');
  const packed = new Response(gzip.readable).blob();
  const writer = gzip.writable.getWriter();
  const utf8 = new TextEncoder();
  let count = 0;
  for await (const { ts, level, text } of lines) {
    count += 1;
    const line = { ts: ts.toISOString(), level: logLevels.indexOf(level), text };
    await writer.write(utf8.encode(`${JSON.stringify(line)}\n`));
  }
  await writer.close();
  const file = await packed;
  return count === 0 ? undefined : file;
}
