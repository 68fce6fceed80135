import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { checkServerIdentity } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { lookupOf } from './dial.ts';
import { OutsideFault } from './faults.ts';
import type { Target } from './target.ts';

export interface Sent {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: Buffer;
}

export interface Bounds {
  /** Limit for the body, both compressed and decompressed. */
  bytesMax: number;
  /** True: a longer body is cut; otherwise it is an error. */
  cutsBody: boolean;
  connectMs: number;
  signal: AbortSignal;
  /** Certificate authorities to trust instead of the usual ones. */
  ca?: string | undefined;
}

const headerBytesMax = 16 * 1024;

/** Sends one request to one of the target's checked addresses, and reads the whole answer. */
export async function exchange(target: Target, sent: Sent, bounds: Bounds): Promise<Answered> {
  const response = await send(target, sent, bounds);
  try {
    const headers = headersOf(response);
    const body = await readBody(response, headers.get('content-encoding'), bounds);
    return { status: response.statusCode ?? 0, headers, body };
  } finally {
    response.destroy();
  }
}

function send(target: Target, { method, headers, body }: Sent, bounds: Bounds): Promise<IncomingMessage> {
  const { url, host } = target;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const common = {
    method,
    headers: { 'user-agent': 'Mooring', 'accept-encoding': 'gzip', ...headers },
    // No agent, so that nothing is shared with other calls, and proxies from the environment are ignored.
    agent: false as const,
    lookup: lookupOf(target.addresses),
    autoSelectFamily: true,
    maxHeaderSize: headerBytesMax,
    insecureHTTPParser: false,
    signal: bounds.signal,
  };
  const request =
    url.protocol === 'https:'
      ? https.request(url, {
          ...common,
          ...(bounds.ca !== undefined && { ca: bounds.ca }),
          // Regardless of the environment.
          rejectUnauthorized: true,
          servername: isIP(host) ? '' : host,
          checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
        })
      : http.request(url, common);
  const connecting = setTimeout(
    () => request.destroy(new OutsideFault('The server does not answer.')),
    bounds.connectMs,
  );
  request.once('socket', socket => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
  });
  request.once('close', () => clearTimeout(connecting));
  request.once('response', resolve);
  request.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new OutsideFault('The server does not answer in HTTP.'));
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** Counts bytes before and after decompression: a small body can expand to gigabytes, and a large one to nothing. */
async function readBody(
  response: IncomingMessage,
  encoding: string | null,
  { signal, ...bounds }: Bounds,
): Promise<Buffer> {
  const unpack = unpacking(encoding);
  const parts: Buffer[] = [];
  const keep = async (source: AsyncIterable<Buffer>) => {
    for await (const part of bounded(source, bounds)) parts.push(part);
  };
  try {
    if (!unpack) await pipeline(response, keep, { signal });
    else await pipeline(response, source => bounded(source, bounds), unpack, keep, { signal });
  } catch (error) {
    if (!(error instanceof BodyCut)) throw error;
  }
  return Buffer.concat(parts);
}

/** Stops reading once enough of a body was read. */
class BodyCut extends Error {}

async function* bounded(
  source: AsyncIterable<Buffer>,
  { bytesMax, cutsBody }: Pick<Bounds, 'bytesMax' | 'cutsBody'>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of source) {
    const room = bytesMax - bytes;
    bytes += part.length;
    if (bytes <= bytesMax) yield part;
    else if (!cutsBody) throw new OutsideFault(`The response is larger than ${sizeText(bytesMax)}.`);
    else {
      yield part.subarray(0, room);
      throw new BodyCut();
    }
  }
}

function unpacking(encoding: string | null) {
  switch (encoding?.trim().toLowerCase() || 'identity') {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new OutsideFault('The response uses an encoding that was not requested.');
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${Math.floor(bytes / 1000)} kB`;
}
