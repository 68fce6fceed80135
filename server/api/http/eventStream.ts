import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { WebSocketServer } from 'ws';
import { endUpgraded } from './callOver.ts';
import { acceptUpgrade, asksForUpgrade } from './upgrades.ts';

/** One message, encoded for each kind of stream. */
export interface StreamFrame {
  readonly sse: Buffer;
  readonly webSocket: Buffer;
}

/** The reader of an event stream, over either transport. */
export interface Outlet {
  /** Bytes that were written but not yet sent. */
  readonly waitingBytes: number;
  write(frame: StreamFrame): void;
  end(): void;
  /** Calls back once: when the reader left or the stream ended. */
  onClosed(told: () => void): void;
}

/** Readers are not expected to send anything. */
const receivedBytesMax = 1024;
/** How long to wait for a reader to read the end of the stream. */
const lingerMs = 5_000;

const server = new WebSocketServer({
  noServer: true,
  maxPayload: receivedBytesMax,
  perMessageDeflate: false,
});

/** Opens an event stream: over a WebSocket if requested, otherwise as server-sent events. */
export function openEventStream(reply: FastifyReply, open: (outlet: Outlet) => void): FastifyReply {
  if (asksForUpgrade(reply.request)) {
    acceptUpgrade(server, reply, webSocket => {
      webSocket.on('error', () => undefined);
      webSocket.once('close', () => endUpgraded(reply));
      open({
        get waitingBytes() {
          return webSocket.bufferedAmount;
        },
        write: frame => webSocket.send(frame.webSocket, { binary: false }, () => undefined),
        end() {
          webSocket.close(1000);
          setTimeout(() => webSocket.terminate(), lingerMs).unref();
        },
        onClosed: told => webSocket.once('close', told),
      });
    });
    return reply;
  }
  const stream = new Readable({ read: () => undefined });
  open({
    get waitingBytes() {
      return stream.readableLength + reply.raw.writableLength;
    },
    write: frame => {
      if (!stream.destroyed) stream.push(frame.sse);
    },
    end: () => {
      if (stream.destroyed) return;
      stream.push(null);
      const lingering = setTimeout(() => {
        stream.destroy();
        reply.raw.destroy();
      }, lingerMs);
      reply.raw.once('close', () => clearTimeout(lingering));
    },
    onClosed: told => stream.once('close', told),
  });
  // Otherwise a buffering proxy could hold events back for minutes.
  reply.header('x-accel-buffering', 'no');
  return reply.type('text/event-stream').send(stream);
}
