import type { Socket } from 'node:net';
import { minuteMs } from '#rules/time/durations.ts';
import { sentBytes } from './sentBytes.ts';
import type { Transport, TransportEvents } from './transport.ts';

const lingerMs = 2_000;
const probeMs = minuteMs;

/** The remote address of a socket. */
export function addressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.replace(/^::ffff:/, '');
}

/** Adapts a TCP or TLS socket to a transport. */
export function tcpTransport(socket: Socket, eventsOf: (transport: Transport) => TransportEvents): void {
  const address = addressOf(socket);
  const transport: Transport = {
    protocol: 'mqtt',
    address,
    get buffered() {
      return socket.writableLength;
    },
    get sent() {
      return sentBytes(socket);
    },
    write(bytes) {
      socket.write(bytes);
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end() {
      socket.end();
      setTimeout(() => socket.destroy(), lingerMs).unref();
    },
  };
  const events = eventsOf(transport);
  socket.setNoDelay(true).setKeepAlive(true, probeMs);
  socket.on('data', bytes => events.received(bytes));
  socket.on('drain', () => events.drained());
  // Any error is followed by `close`, which handles it.
  socket.on('error', () => undefined);
  socket.on('close', () => events.closed());
}
