import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** Rows are collected into larger chunks, because PostgreSQL sends each in its own message. */
const gatherBytes = 256 * 1024;

/** Methods of the driver's connection that its types lack. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Sends `copy … to stdout` and reads the rows as PostgreSQL writes them. A slow reader slows down the database
 * (backpressure), so nothing piles up in memory.
 */
export function copyOut(client: pg.Client, text: string): CopyOut {
  return client.query(new CopyOut(text));
}

export class CopyOut extends Readable implements pg.Submittable {
  readonly #text: string;
  #connection: pg.Connection | undefined;
  #gathered: Buffer[] = [];
  #bytes = 0;
  /** The number of rows, known at the end. */
  rows = 0;

  constructor(text: string) {
    super({ highWaterMark: gatherBytes });
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver reuses its buffer.
    this.#gathered.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= gatherBytes && !this.#handOn()) this.#connection?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
    this.#handOn();
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.#connection?.stream.resume();
    this.destroy(error);
  }

  #handOn(): boolean {
    const gathered = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#bytes = 0;
    return gathered.length === 0 || this.push(gathered);
  }
}

/** Sends `copy … from stdin` with the data of the source, and returns the number of rows. */
export function copyIn(client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => client.query(new CopyIn(text, source, resolve, reject)));
}

class CopyIn implements pg.Submittable {
  readonly #text: string;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #resolve: (rows: number) => void;
  readonly #reject: (error: unknown) => void;
  #rows = 0;
  /** The cause of the failure: an error of the source takes precedence over the error the database then reports. */
  #error: unknown;

  constructor(
    text: string,
    source: AsyncIterable<Uint8Array>,
    resolve: (rows: number) => void,
    reject: (error: unknown) => void,
  ) {
    this.#text = text;
    this.#source = source;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      error => {
        this.#error ??= error;
        connection.sendCopyFail('The source failed.');
      },
    );
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#resolve(this.#rows);
    else this.#reject(this.#error);
  }

  /** After an error of the database, `handleReadyForQuery` follows; after a broken connection, it does not. */
  handleError(error: Error): void {
    this.#error ??= error;
    this.#reject(this.#error);
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    for await (const chunk of this.#source) {
      if (this.#error !== undefined || stream.destroyed) return;
      connection.sendCopyFromChunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    }
  }
}

/** `COPY 17` */
function rowsOf(tag: string): number {
  return Number(tag.split(' ')[1] ?? 0);
}
