import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A minimal listener on an event stream; ten thousand fit into one process. */
export class Listener {
  /** The id of the last message, to resume after. */
  lastId: string | undefined;
  isEnded = false;
  readonly #socket: Socket;
  readonly #hear: (message: string) => void;
  #rest = '';

  private constructor(socket: Socket, hear: (message: string) => void) {
    this.#socket = socket;
    this.#hear = hear;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.isEnded = true;
    });
  }

  /** Resolves once the stream reports `opened`. */
  static async open(
    { url, app, token, after }: { url: string; app: string; token: string; after?: string | undefined },
    hear: (message: string) => void,
  ): Promise<Listener> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    const opened = Promise.withResolvers<void>();
    const listener = new Listener(socket, message => {
      if (message.includes('event: opened')) opened.resolve();
      hear(message);
    });
    socket.once('close', () => opened.reject(new Error('The stream was refused.')));
    const lines = [
      `GET /app/v1/${app}/events HTTP/1.1`,
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${token}`,
      ...(after === undefined ? [] : [`last-event-id: ${after}`]),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await opened.promise;
    return listener;
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  async ended(): Promise<void> {
    if (!this.isEnded) await once(this.#socket, 'close');
  }

  #take(text: string): void {
    const messages = (this.#rest + text).split('\n\n');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) {
      // HTTP chunk sizes may be in between; the pattern still matches.
      const id = /(?:^|\n)id: (\S+)/.exec(message)?.[1];
      if (id !== undefined) this.lastId = id;
      this.#hear(message);
    }
  }
}
