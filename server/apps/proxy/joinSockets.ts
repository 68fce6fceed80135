import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ProxyLimits } from '#server/apps/proxyRoutes/forward/proxyLimits.ts';

/**
 * Connects an app and a back end that agreed on a WebSocket. Once both sides are closed, returns how many bytes the app
 * received.
 */
export async function joinSockets(
  app: { socket: Duplex; head: Buffer },
  backEnd: Duplex,
  headers: readonly string[],
  { streamIdleMs, closeMs }: ProxyLimits,
): Promise<number> {
  const { socket, head } = app;
  const readBefore = bytesRead(backEnd);
  // Data in both directions passes through this socket, so its timeout covers both.
  if (socket instanceof Socket) socket.setTimeout(streamIdleMs, () => socket.destroy());
  const lines = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket'];
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  if (head.length > 0) socket.unshift(head);
  // A WebSocket that breaks off is not an error of the platform.
  const both = [pipeline(socket, backEnd), pipeline(backEnd, socket)].map(one => one.catch(() => undefined));
  await Promise.race(both);
  // One half of a WebSocket is useless: the remaining side has a short time to finish sending, and is then closed.
  const late = setTimeout(() => {
    socket.destroy();
    backEnd.destroy();
  }, closeMs);
  await Promise.all(both);
  clearTimeout(late);
  return bytesRead(backEnd) - readBefore;
}

const bytesRead = (socket: Duplex) => (socket instanceof Socket ? socket.bytesRead : 0);
