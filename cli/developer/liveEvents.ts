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
  let since: Date | undefined;
  const tell = (event: DeviceEvent) => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > seenMax) seen.delete(seen.values().next().value ?? '');
    if (!since || new Date(event.ts) > since) since = new Date(event.ts);
    onEvent(event);
  };
  while (!signal.aborted) {
    const from = since;
    const missed = async () => (from ? missedSince(call, watched.deviceId, from) : []);
    await hearOnce(call, watched, { tell, missed });
    // Events that arrive before the next stream is open are read afterwards, even if none has arrived so far.
    since ??= new Date();
    await pause(againMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The events that arrived while no stream was open, oldest first. */
async function missedSince({ client }: Call, deviceId: string, since: Date): Promise<DeviceEvent[]> {
  const query = {
    begin: since.toISOString(),
    end: new Date(Date.now() + minuteMs).toISOString(),
    maxEntries: 999,
  };
  return (await client.call(listDeviceEvents, { params: { deviceId }, query })).toReversed();
}

interface Hearing {
  tell: (event: DeviceEvent) => void;
  missed: () => Promise<DeviceEvent[]>;
}

async function hearOnce(
  { fetch: send, url, terminal }: Call,
  { projectId, deviceId, signal }: Watched,
  { tell, missed }: Hearing,
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
    for await (const { kind, data } of eventsOf(response.body)) {
      timer.refresh();
      if (kind === 'opened') for (const event of await missed()) tell(event);
      const news = data as Extract<LiveMessage, { kind: 'device' }>;
      if (kind === 'device' && news.what === 'event') tell(news.data as DeviceEvent);
    }
    if (!signal.aborted) terminal.say('The connection was lost. Reconnecting…');
  } catch (error) {
    if (signal.aborted || silence.signal.aborted || error instanceof TypeError) return;
    throw error;
  } finally {
    clearInterval(timer);
  }
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
