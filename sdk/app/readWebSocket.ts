import type { Asked, ReadStream } from './eventStream.ts';
import { later } from './later.ts';
import type { Frame } from './readSse.ts';

/** The part of `WebSocket` that is used. */
export interface StreamSocket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  close(): void;
}
export type StreamSocketClass = new (url: string) => StreamSocket;

/**
 * Reads the same stream over a WebSocket, for runtimes whose `fetch` cannot stream. A WebSocket cannot send headers, so
 * it is opened with a ticket, which is valid once and for half a minute; no URL ever contains a token.
 */
export function readWebSocket(WebSocket: StreamSocketClass): ReadStream {
  return async ({ api, after, signal, hear }: Asked) => {
    const { ticket } = await api.call('createStreamTicket', { signal });
    if (signal.aborted) return;
    const query = new URLSearchParams({ ticket, ...(after !== undefined && { lastEventId: after }) });
    const socket = new WebSocket(`${api.baseUrl.replace(/^http/, 'ws')}/events?${query}`);
    const over = later<void>();
    // A socket may take minutes to close, or never report it.
    const cut = () => {
      socket.close();
      over.resolve();
    };
    signal.addEventListener('abort', cut, { once: true });
    socket.onmessage = ({ data }) => {
      if (!signal.aborted) hear(JSON.parse(String(data)) as Frame);
    };
    socket.onerror = () => over.resolve();
    socket.onclose = () => over.resolve();
    await over.promise;
    signal.removeEventListener('abort', cut);
  };
}
