import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BodyOf } from '#contract/endpoint.ts';
import { createProxyRoute, type ProxyRoute } from '#contract/proxyRoute.ts';
import type { ProjectWorld } from './projectWorld.ts';

/** A request that a back end received. */
export interface Received {
  method: string;
  url: string;
  headers: Record<string, string>;
  rawHeaders: string[];
  body: string;
}

export interface BackEnd {
  server: Server;
  url: string;
  received: Received[];
  /** The number of connections opened so far. */
  connections: number;
  /** Sets how requests are answered from now on. */
  answer: RequestListener;
  onUpgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A back end on loopback that records its requests and answers `ok` by default. */
export async function aBackEnd(answer?: RequestListener, host = '127.0.0.1'): Promise<BackEnd> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    const { method = '', url = '', rawHeaders } = request;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const received = { method, url, headers, rawHeaders, body: '' };
    backEnd.received.push(received);
    request.on('data', (chunk: Buffer) => {
      if (chunks.length < 100) chunks.push(chunk);
      received.body = Buffer.concat(chunks).toString('latin1');
    });
    backEnd.answer(request, response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    backEnd.connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket, head) => {
    if (backEnd.onUpgrade) backEnd.onUpgrade(request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('It listens on no port.');
  const backEnd: BackEnd = {
    server,
    url: `http://${host}:${address.port}`,
    received: [],
    connections: 0,
    onUpgrade: undefined,
    answer: answer ?? ((request, response) => void request.on('end', () => response.end('ok')).resume()),
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve));
      // Includes the sockets of WebSockets, which the HTTP server does not track.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return backEnd;
}

/** A proxy route; by default one of the resource `project` that matches all paths. */
export function aRoute(
  at: Pick<ProjectWorld, 'owner' | 'projectId'>,
  targetUrl: string,
  given: Partial<BodyOf<typeof createProxyRoute>> = {},
): Promise<ProxyRoute> {
  return at.owner.client.call(createProxyRoute, {
    body: { projectId: at.projectId, resource: 'project', sourcePath: '/', targetUrl, ...given },
  });
}
