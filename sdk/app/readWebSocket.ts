import type { Asked, ReadStream } from './eventStream.ts';
import { later } from './later.ts';
import type { Frame } from './readSse.ts';

/** As much of `WebSocket` as is used. */
export interface StreamSocket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  close(): void;
}
export type StreamSocketClass = new (url: string) => StreamSocket;

/**
 * The same over a WebSocket, where `fetch` cannot stream. It can send no header: a ticket opens it, which works once and
 * for half a minute, so that no address ever has a token.
 */
export function readWebSocket(WebSocket: StreamSocketClass): ReadStream {
  return async ({ api, after, signal, hear }: Asked) => {
    const { ticket } = await api.call('createStreamTicket');
    if (signal.aborted) return;
    const query = new URLSearchParams({ ticket, ...(after !== undefined && { lastEventId: after }) });
    const socket = new WebSocket(`${api.baseUrl.replace(/^http/, 'ws')}/events?${query}`);
    const over = later<void>();
    const cut = () => socket.close();
    signal.addEventListener('abort', cut, { once: true });
    socket.onmessage = ({ data }) => hear(JSON.parse(String(data)) as Frame);
    socket.onerror = () => over.resolve();
    socket.onclose = () => over.resolve();
    await over.promise;
    signal.removeEventListener('abort', cut);
  };
}
