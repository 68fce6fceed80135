import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type DisconnectReason, disconnectReasons } from '#contract/deviceProtocol.ts';
import { Problem } from '#contract/problem.ts';
import { packetBytesMax } from '#rules/devices/gatewayLimits.ts';
import { acceptUpgrade, asksForUpgrade } from '#server/api/http/upgrades.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { Connection } from './connection.ts';
import { sentBytes } from './sentBytes.ts';
import type { Transport, TransportEvents } from './transport.ts';

const subprotocol = 'mqtt';
/** A WebSocket message can contain several packets, or part of one. */
const messageBytesMax = 2 * packetBytesMax;
/** Clients see a message only once it is complete: with a large one on a slow network, they would take the connection for dead. */
const pieceBytes = 16 * 1024;
const lingerMs = 2_000;

/** Close codes from RFC 6455, 7.4.1, which the browser passes to its page. */
const closeCodes: Partial<Record<DisconnectReason, number>> = {
  CLOSED: 1000,
  STOPPING: 1001,
  PROTOCOL_ERROR: 1002,
  TOO_LARGE: 1009,
};
const policyViolation = 1008;

/**
 * MQTT over WebSocket at `/mqtt`, for browsers and for networks that only allow web traffic. Open to any origin, because
 * no cookie opens it: a device sends its key, and many clients send an origin of their own making.
 */
export function webSocketDoor(app: FastifyInstance, parts: GatewayParts): void {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
  });
  app.get('/mqtt', async (request, reply) => {
    if (!asksForUpgrade(request) || !asksForMqtt(request)) {
      reply.header('upgrade', 'websocket');
      throw new Problem('UPGRADE_REQUIRED');
    }
    if (!parts.preAuthConnections.hasRoom(request.ip))
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: 10 });
    acceptUpgrade(server, reply, (webSocket, socket) => {
      webSocketTransport(webSocket, socket, request.ip, transport => new Connection(parts, transport));
    });
    return reply;
  });
}

function asksForMqtt({ headers }: FastifyRequest): boolean {
  const asked = headers['sec-websocket-protocol'] ?? '';
  return asked.split(',').some(name => name.trim() === subprotocol);
}

function webSocketTransport(
  webSocket: WebSocket,
  socket: Duplex,
  address: string,
  eventsOf: (transport: Transport) => TransportEvents,
): void {
  const transport: Transport = {
    protocol: 'websocket',
    address,
    get buffered() {
      return webSocket.bufferedAmount;
    },
    get sent() {
      return sentBytes(socket);
    },
    write(bytes) {
      for (let from = 0; from < bytes.length; from += pieceBytes)
        // Errors after the end can be ignored; `close` handles the rest.
        webSocket.send(bytes.subarray(from, from + pieceBytes), () => undefined);
    },
    pause: () => webSocket.pause(),
    resume: () => webSocket.resume(),
    end(reason) {
      webSocket.resume();
      webSocket.close(closeCodes[reason] ?? policyViolation, disconnectReasons[reason]);
      setTimeout(() => webSocket.terminate(), lingerMs).unref();
    },
  };
  const events = eventsOf(transport);
  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    // [MQTT-6.0.0-1]
    if (isBinary) events.received(data as Buffer);
    else events.malformed();
  });
  socket.on('drain', () => events.drained());
  webSocket.on('error', () => undefined);
  webSocket.on('close', () => events.closed());
}
