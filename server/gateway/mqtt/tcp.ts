import type { Socket } from 'node:net';
import type { Transport, TransportEvents } from './transport.ts';

const lingerMs = 2_000;
const probeMs = 60_000;

/** Where a socket comes from. */
export function addressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.replace(/^::ffff:/, '');
}

/** A TCP or TLS socket as a transport. */
export function tcpTransport(socket: Socket, eventsOf: (transport: Transport) => TransportEvents): void {
  const address = addressOf(socket);
  const transport: Transport = {
    protocol: 'mqtt',
    address,
    get buffered() {
      return socket.writableLength;
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
  // What went wrong does not matter: it is closed after it.
  socket.on('error', () => undefined);
  socket.on('close', () => events.closed());
}
