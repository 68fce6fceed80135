import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed } from '#contract/client.ts';
import { type DeviceEvent, listDeviceEvents } from '#contract/deviceState.ts';
import type { LiveMessage } from '#contract/live.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Call } from './command.ts';

const againMs = 2_000;
/** The server sends something every 20 s. */
const silenceMaxMs = minuteMs;
const seenMax = 2_000;
const pageMax = 999;
/** Events of the same moment as the answer, and those of the next seconds. */
const marginMs = minuteMs;

interface Watched {
  projectId: string;
  deviceId: string;
  onEvent: (event: DeviceEvent) => void;
  signal: AbortSignal;
}

/** Receives the events of a device, each once, until the signal is aborted; reconnects if the connection is lost. */
export async function hearEvents(call: Call, watched: Watched): Promise<void> {
  const { onEvent, signal } = watched;
  const seen = new Set<string>();
  /** On the platform's clock, because that of this computer may be wrong. */
  let since: Date | undefined;
  const tell = (event: DeviceEvent) => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > seenMax) seen.delete(seen.values().next().value ?? '');
    if (!since || new Date(event.ts) > since) since = new Date(event.ts);
    onEvent(event);
  };
  /** Events that arrive while no stream is open are read once the next one is, even if none has arrived so far. */
  const opened = async (now: Date) => {
    const from = since;
    since ??= now;
    if (from) for await (const event of missedSince(call, watched.deviceId, from, now)) tell(event);
  };
  while (!signal.aborted) {
    await hearOnce(call, watched, { tell, opened });
    await pause(againMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The events that arrived while no stream was open, oldest first. */
async function* missedSince(
  { client }: Call,
  deviceId: string,
  since: Date,
  now: Date,
): AsyncGenerator<DeviceEvent> {
  const end = new Date(now.getTime() + marginMs);
  const pages: DeviceEvent[][] = [];
  for (let page = await read(); ; page = await read(page.at(-1)?.id)) {
    pages.unshift(page.toReversed());
    if (page.length < pageMax) break;
  }
  yield* pages.flat();

  function read(after?: string): Promise<DeviceEvent[]> {
    const range = { begin: since.toISOString(), end: end.toISOString(), maxEntries: pageMax };
    const query = { ...range, ...(after !== undefined && { after }) };
    return client.call(listDeviceEvents, { params: { deviceId }, query });
  }
}

interface Hearing {
  tell: (event: DeviceEvent) => void;
  /** Called when the stream is open, with the time on the platform's clock. */
  opened: (now: Date) => Promise<void>;
}

async function hearOnce(
  { fetch: send, url, terminal }: Call,
  { projectId, deviceId, signal }: Watched,
  { tell, opened }: Hearing,
): Promise<void> {
  const silence = new AbortController();
  const timer = setInterval(() => silence.abort(), silenceMaxMs);
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await send(`${url}/api/projects/${projectId}/live?deviceId=${deviceId}`, {
      signal: both,
    });
    if (!response.ok) throw await refusal(response);
    if (!response.body) return;
    const now = timeOf(response);
    for await (const { kind, data } of eventsOf(response.body)) {
      timer.refresh();
      if (kind === 'opened') await opened(now);
      const news = data as Extract<LiveMessage, { kind: 'device' }>;
      if (kind === 'device' && news.what === 'event') tell(news.data as DeviceEvent);
    }
    if (!signal.aborted) terminal.say('The connection was lost. Reconnecting…');
  } catch (error) {
    if (signal.aborted || silence.signal.aborted || isTemporary(error)) return;
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Also if only the missed events could not be read: they are read again with the next stream. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return error instanceof TypeError;
  return error.status < 400 || error.status === 429 || error.status >= 500;
}

/** When the platform answered, by its own clock. */
function timeOf({ headers }: Response): Date {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? new Date() : new Date(ms);
}

/** The error of a refused stream, as the typed client would throw it. */
async function refusal(response: Response): Promise<Error> {
  const answer = (await response.json().catch(() => undefined)) as ProblemAnswer | undefined;
  // A restart or too many requests: temporary.
  if (!answer || response.status === 429 || response.status >= 500) return new TypeError(response.statusText);
  return new CallFailed(answer, { status: response.status });
}

/** Parses server-sent events: blocks of lines separated by empty lines. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ kind: string; data: unknown }> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const kind = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (kind && data) yield { kind, data: JSON.parse(data) };
    }
  }
}
