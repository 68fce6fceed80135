import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { takeUpgrade } from '#server/api/http/upgrades.ts';
import { isMarkup, type KeptAnswer } from '#server/apps/proxyRoutes/forward/answerHeaders.ts';
import { isEventStream, type Receiver } from '#server/apps/proxyRoutes/forward/backEndCall.ts';
import type { ProxyLimits } from '#server/apps/proxyRoutes/forward/proxyLimits.ts';
import { joinSockets } from './joinSockets.ts';

/** Forwards the answer of a back end to the app, as fast as the app reads it. */
export class ReplyReceiver implements Receiver {
  readonly #reply: FastifyReply;
  readonly #limits: ProxyLimits;
  readonly #leftHeard: (() => void)[] = [];
  #hasEnded = false;
  #socket: Duplex | undefined;
  hasLeft = false;
  /** True: the answer lasts until the app disconnects. */
  isStream = false;
  /** Resolves once a WebSocket is closed, with the number of bytes the app received. */
  closed: Promise<number> | undefined;
  /** Set while a developer watches the calls of the route. */
  onChunk: ((chunk: Buffer) => void) | undefined;
  onStart: ((status: number, answer: KeptAnswer) => void) | undefined;

  constructor(reply: FastifyReply, limits: ProxyLimits) {
    this.#reply = reply;
    this.#limits = limits;
    // If the app disconnected while its rights were being looked up, no `close` event follows.
    if (reply.raw.closed) this.hasLeft = true;
    else
      reply.raw.once('close', () => {
        if (!this.#hasEnded) this.#leave();
      });
  }

  #leave(): void {
    this.hasLeft = true;
    for (const hear of this.#leftHeard) hear();
  }

  onLeft(hear: () => void): void {
    if (this.hasLeft) hear();
    else this.#leftHeard.push(hear);
  }

  start(status: number, answer: KeptAnswer): void {
    const { raw } = this.#reply;
    raw.writeHead(status, this.#headersFor(answer));
    // Not earlier: headers that cannot be written are still answered as a problem.
    this.#reply.hijack();
    this.isStream = isEventStream(answer);
    this.onStart?.(status, answer);
    if (!answer.hasLength) raw.flushHeaders();
  }

  /** The platform's own headers come first: a back end cannot override what the platform says in every answer. */
  #headersFor({ headers, contentType }: KeptAnswer): string[] {
    const own = this.#reply.getHeaders();
    if (!this.#reply.request.raw.complete) own.connection = 'close';
    if (isMarkup(contentType)) own['content-security-policy'] = 'sandbox';
    const all: string[] = [];
    for (const name in own) all.push(name, String(own[name]));
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = headers[i] ?? '';
      if (!(name in own)) all.push(name, headers[i + 1] ?? '');
    }
    return all;
  }

  write(chunk: Buffer): boolean {
    this.onChunk?.(chunk);
    return this.#reply.raw.write(chunk);
  }

  onDrain(hear: () => void): void {
    this.#reply.raw.once('drain', hear);
  }

  end(): void {
    this.#hasEnded = true;
    this.#reply.raw.end();
    // A request body that the back end did not wait for is read to its end: if the connection closed earlier, the app
    // might lose the answer.
    if (!this.#reply.request.raw.complete) this.#reply.request.raw.resume();
  }

  breakOff(): void {
    this.#socket?.destroy();
    this.#reply.raw.destroy();
  }

  upgrade(answer: KeptAnswer, backEnd: Duplex): void {
    const { socket, head } = takeUpgrade(this.#reply);
    this.#socket = socket;
    this.#hasEnded = true;
    this.isStream = true;
    this.onStart?.(101, answer);
    this.closed = joinSockets({ socket, head }, backEnd, answer.headers, this.#limits);
  }
}
