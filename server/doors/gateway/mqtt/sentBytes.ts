import type { Duplex } from 'node:stream';

/**
 * How many bytes the system has taken from a socket. Read from its handle, because `writableLength` counts a write as a
 * whole until all of it was taken. A TLS socket writes to the socket below.
 */
export function sentBytes(socket: Duplex): number {
  const below: unknown = Reflect.get(socket, '_parent');
  const handle: unknown = Reflect.get(below ?? socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return 0;
  return numberOf(handle, 'bytesWritten') - numberOf(handle, 'writeQueueSize');
}

function numberOf(handle: object, name: string): number {
  const value: unknown = Reflect.get(handle, name);
  return typeof value === 'number' ? value : 0;
}
