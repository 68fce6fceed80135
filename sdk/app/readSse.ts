import type { Asked } from './eventStream.ts';

/** One message of an event stream. */
export interface Frame {
  id?: string;
  event: string;
  data: unknown;
}

/** Reads server-sent events with `fetch`, because the browser's `EventSource` cannot send headers. */
export async function readSse({ api, after, signal, hear }: Asked): Promise<void> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (after !== undefined) headers['last-event-id'] = after;
  const answer = await api.send(`${api.baseUrl}/events`, { headers, signal, cache: 'no-store' });
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new Error(`The event stream was refused with ${answer.status}.`);
  }
  const frames = new FrameReader(hear);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    frames.push(value);
  }
}

/** Parses the messages in a text that arrives in chunks. */
export class FrameReader {
  readonly #hear: (frame: Frame) => void;
  #rest = '';
  #frame: { id?: string; event?: string; data: string[] } = { data: [] };

  constructor(hear: (frame: Frame) => void) {
    this.#hear = hear;
  }

  push(text: string): void {
    // A line end of two characters can be split across two chunks.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') {
      this.#end();
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') this.#frame.data.push(value);
    else if (name === 'event') this.#frame.event = value;
    else if (name === 'id') this.#frame.id = value;
    // A comment is a heartbeat.
    else if (name === '') this.#hear({ event: 'beat', data: {} });
  }

  #end(): void {
    const { id, event = 'message', data } = this.#frame;
    this.#frame = { data: [] };
    if (data.length === 0) return;
    this.#hear({ event, data: JSON.parse(data.join('\n')), ...(id !== undefined && { id }) });
  }
}
