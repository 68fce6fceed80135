import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';

interface Upgrade {
  socket: Duplex;
  head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Whether to upgrade the connection of a request. Other protocols are offers that a server may ignore (RFC 9110, 7.8):
 * clients that would like HTTP/2 get their answer in HTTP/1.1.
 */
export const isWebSocketUpgrade = ({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket';

/**
 * Passes WebSocket upgrade requests through the normal request handling, so that the same access rules apply and a
 * refused caller gets a normal answer.
 */
export function receiveUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Closes the connection even if the client keeps its half open: after an upgrade, no time limit of the server
    // applies to it.
    response.once('finish', () => socket.destroySoon());
    // The client disconnected before the upgrade.
    socket.on('error', () => undefined);
    app.routing(request, response);
  });
}

export const asksForUpgrade = (request: FastifyRequest): boolean => upgrades.has(request.raw);

/** Upgrades the connection of a request that `asksForUpgrade` to a WebSocket. */
export function acceptUpgrade(
  server: WebSocketServer,
  reply: FastifyReply,
  accepted: (webSocket: WebSocket, socket: Duplex) => void,
): void {
  const { socket, head } = takeUpgrade(reply);
  server.handleUpgrade(reply.request.raw, socket, head, webSocket => accepted(webSocket, socket));
}

/** Takes over the connection of a request that `asksForUpgrade`, with the data that the client sent ahead. */
export function takeUpgrade(reply: FastifyReply): Upgrade {
  const upgrade = upgrades.get(reply.request.raw);
  if (!upgrade) throw new Error('This request asks for no upgrade.');
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0]);
  return upgrade;
}
