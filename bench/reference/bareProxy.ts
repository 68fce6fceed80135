import { createServer } from 'node:http';
import { Pool } from 'undici';

/**
 * The minimum cost of a proxy on this runtime: node:http, undici, and nothing in between. No session, no rights, no
 * signature, no log, no limits. Listens at `PORT` and forwards to the origin `TARGET`.
 */
const { PORT: port = '', TARGET: origin = '' } = process.env;
const pool = new Pool(origin, { connections: 64, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

createServer((request, response) => {
  const { method = 'GET', url = '/', rawHeaders } = request;
  const headers: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!/^(host|connection|keep-alive)$/i.test(name)) headers.push(name, rawHeaders[i + 1] ?? '');
  }
  pool.dispatch(
    { method: method as 'GET', path: url, headers, body: null },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, answered) =>
        void response.writeHead(status, {
          'content-type': String(answered['content-type']),
          'content-length': String(answered['content-length']),
        }),
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  );
}).listen(Number(port), '127.0.0.1');
