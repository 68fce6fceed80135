import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it was received. */
export interface Received {
  /** The last part of the URL. */
  module: string;
  /** The id, which stays the same when the delivery is repeated. */
  id: string;
  deviceId: string;
  number: number;
  /** `device number`. */
  key: string;
}

/** Answers every webhook at once, and records the deliveries in order of arrival. */
export async function startReceiver() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { data } = JSON.parse(text) as { data: { device: { id: string }; payload: { number: number } } };
      const { id: deviceId } = data.device;
      const { number } = data.payload;
      const id = String(request.headers['webhook-id']);
      received.push({
        module: request.url?.slice(1) ?? '',
        id,
        deviceId,
        number,
        key: `${deviceId} ${number}`,
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
