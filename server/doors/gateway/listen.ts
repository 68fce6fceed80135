import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Config } from '#server/infra/config.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import { StartFault } from '#server/infra/startFault.ts';

/** How many connections may wait to be accepted: as many as Linux allows by default, for a fleet that comes at once. */
export const backlogMax = 4_096;

export interface Listening {
  /** The address as entered in clients. */
  url: string;
  stop(): void;
}

/** Opens the MQTT port, with TLS if there is a certificate. */
export async function listenForDevices(
  config: Pick<Config, 'host' | 'mqttPort' | 'mqttTls'>,
  come: (socket: Socket) => void,
): Promise<Listening | undefined> {
  const { host, mqttPort: port, mqttTls: tls } = config;
  if (port === 'off') return undefined;
  const server = createServer(tls ? overTls(readTls(tls), come) : come);
  await opened(server, host, port);
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  const name = ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host;
  return { url: `${tls ? 'mqtts' : 'mqtt'}://${name}:${taken}`, stop: () => void server.close() };
}

/**
 * Counts a connection from its first byte, including the TLS handshake: a `node:tls` server would only report
 * it after the handshake, and keep unfinished ones forever.
 */
function overTls(
  { cert, key }: { cert: Buffer; key: Buffer },
  come: (socket: Socket) => void,
): (socket: Socket) => void {
  const secureContext = createSecureContext({ cert, key, minVersion: 'TLSv1.2' });
  return socket => come(new TLSSocket(socket, { isServer: true, secureContext }));
}

function readTls({ certFile, keyFile }: NonNullable<Config['mqttTls']>): { cert: Buffer; key: Buffer } {
  try {
    return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  } catch (error) {
    throw new StartFault(
      `The certificate for MQTT could not be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const isTaken = errorCode(error) === 'EADDRINUSE';
      const other = `Port ${port} is taken. Choose another: MQTT_PORT=${port + 1} npm start`;
      reject(isTaken ? new StartFault(other) : error);
    });
    server.listen({ host, port, backlog: backlogMax }, resolve);
  });
}
