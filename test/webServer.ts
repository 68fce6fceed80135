import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { Certificate } from './certificate.ts';

export interface WebServer {
  port: number;
  /** The requests received, in order. */
  asked: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A web server on loopback with the given answers; over TLS if a certificate is given. */
export async function aWebServer(answer: RequestListener, certificate?: Certificate): Promise<WebServer> {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    return answer(request, response);
  };
  const server = certificate ? https.createServer(certificate, listener) : http.createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It listens on no port.');
  return {
    port: address.port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
