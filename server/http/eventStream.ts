import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { WebSocketServer } from 'ws';
import { endUpgraded } from './callOver.ts';
import { acceptUpgrade, asksForUpgrade } from './upgrades.ts';

/** One message in the spelling of each kind of stream. */
export interface StreamFrame {
  readonly sse: Buffer;
  readonly webSocket: Buffer;
}

/** The reader of an event stream, whichever way it came. */
export interface Outlet {
  /** What was written and is not on its way yet. */
  readonly waitingBytes: number;
  write(frame: StreamFrame): void;
  end(): void;
  /** Told once: the reader left, or the stream ended. */
  onClosed(told: () => void): void;
}

/** From a reader, nothing is expected. */
const receivedBytesMax = 1024;
/** A reader who does not take the end is not waited for any longer. */
const lingerMs = 5_000;

const server = new WebSocketServer({
  noServer: true,
  maxPayload: receivedBytesMax,
  perMessageDeflate: false,
});

/** Opens an event stream: over a WebSocket where that was asked for, else as server-sent events. */
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
  // A proxy that collects what it passes on would keep it for minutes.
  reply.header('x-accel-buffering', 'no');
  return reply.type('text/event-stream').send(stream);
}
