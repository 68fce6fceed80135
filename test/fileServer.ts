import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** A wrong way to answer a request. */
export type Misconduct = (res: ServerResponse, req: IncomingMessage, file: Uint8Array) => void;

/** A real HTTP server for files, which answers range requests and misbehaves on demand. */
export class FileServer {
  readonly files = new Map<string, Uint8Array>();
  /** One for each of the next requests; after that, it answers correctly. */
  readonly misconduct: Misconduct[] = [];
  /** The misconduct for single paths. */
  readonly misconducts = new Map<string, Misconduct[]>();
  /** The requests with a body that it received. */
  readonly posted: { path: string; json: unknown }[] = [];
  /** The ranges that were requested; '' for a whole file. */
  readonly asked: string[] = [];
  url = '';
  readonly #server = createServer((req, res) => this.#answer(req, res));

  async open(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const path = new URL(req.url ?? '/', this.url).pathname;
    if (req.method === 'POST') return void this.#receive(path, req, res);
    const file = this.files.get(path);
    if (!file) return void res.writeHead(404).end();
    this.asked.push(req.headers.range ?? '');
    const misconduct = this.misconducts.get(path)?.shift() ?? this.misconduct.shift();
    if (misconduct) misconduct(res, req, file);
    else answerRightly(res, req, file);
  }

  async #receive(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece);
    this.posted.push({ path, json: JSON.parse(Buffer.concat(pieces).toString()) });
    res.writeHead(204).end();
  }
}

function fromOf(req: IncomingMessage): number {
  return Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
}

function headOf(from: number, size: number): Record<string, string | number> {
  const range = from > 0 ? { 'content-range': `bytes ${from}-${size - 1}/${size}` } : {};
  return { 'content-length': size - from, ...range };
}

function answerRightly(res: ServerResponse, req: IncomingMessage, file: Uint8Array): void {
  const from = fromOf(req);
  if (from >= file.length) res.writeHead(416).end();
  else res.writeHead(from > 0 ? 206 : 200, headOf(from, file.length)).end(file.subarray(from));
}

export const misconducts = {
  /** Breaks off after this many bytes. */
  cut:
    (bytes: number): Misconduct =>
    (res, req, file) => {
      const from = fromOf(req);
      res.writeHead(from > 0 ? 206 : 200, headOf(from, file.length));
      res.write(file.subarray(from, from + bytes), () => res.destroy());
    },
  /** Sends the whole file, regardless of the requested range. */
  whole: ((res, _, file) => res.writeHead(200, headOf(0, file.length)).end(file)) satisfies Misconduct,
  /** Sends the beginning of the file as if it were the requested range. */
  otherRange: ((res, _, file) =>
    res
      .writeHead(206, { 'content-range': `bytes 0-${file.length - 1}/${file.length}` })
      .end(file)) satisfies Misconduct,
  /** Claims that the file has this many bytes. */
  claims:
    (bytes: number): Misconduct =>
    (res, _, file) =>
      res.writeHead(200, { 'content-length': bytes }).end(file.subarray(0, bytes)),
  /** Sends more than the file, without a length. */
  longer: ((res, _, file) => {
    res.writeHead(200);
    res.write(file);
    res.end('more');
  }) satisfies Misconduct,
  /** Sends different bytes of the same length. */
  tampered: ((res, _, file) =>
    res.writeHead(200, headOf(0, file.length)).end(file.map(byte => byte ^ 1))) satisfies Misconduct,
  status:
    (status: number, headers: Record<string, string> = {}): Misconduct =>
    res =>
      res.writeHead(status, headers).end(),
  /** Starts to answer, and then sends nothing more. */
  stalls: ((res, _, file) => {
    res.writeHead(200, headOf(0, file.length));
    res.write(file.subarray(0, 10));
  }) satisfies Misconduct,
};

/** For the tests of a file. */
export function aFileServer(): FileServer {
  const server = new FileServer();
  beforeAll(() => server.open());
  afterAll(() => server.close());
  return server;
}
