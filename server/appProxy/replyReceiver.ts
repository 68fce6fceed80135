import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { takeUpgrade } from '#server/http/upgrades.ts';
import { isMarkup, type KeptAnswer } from '#server/proxyRoutes/forward/answerHeaders.ts';
import { isEventStream, type Receiver } from '#server/proxyRoutes/forward/backEndCall.ts';
import type { ProxyLimits } from '#server/proxyRoutes/forward/proxyLimits.ts';
import { joinSockets } from './joinSockets.ts';

/** Passes the answer of a back end on to the app, as fast as that reads it. */
export class ReplyReceiver implements Receiver {
  readonly #reply: FastifyReply;
  readonly #limits: ProxyLimits;
  readonly #leftHeard: (() => void)[] = [];
  #hasEnded = false;
  #socket: Duplex | undefined;
  hasLeft = false;
  /** True: it lasts as long as somebody listens. */
  isStream = false;
  /** Resolved once a WebSocket is closed, with the bytes that came through it. */
  closed: Promise<number> | undefined;
  /** Set where somebody watches what is received. */
  onChunk: ((chunk: Buffer) => void) | undefined;
  onStart: ((status: number, answer: KeptAnswer) => void) | undefined;

  constructor(reply: FastifyReply, limits: ProxyLimits) {
    this.#reply = reply;
    this.#limits = limits;
    // Whoever left while their rights were looked up is heard of no more.
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
    // Only now, because what cannot be written is still answered as a problem.
    this.#reply.hijack();
    this.isStream = isEventStream(answer);
    this.onStart?.(status, answer);
    if (!answer.hasLength) raw.flushHeaders();
  }

  /** Ours first: what the platform says of every answer, no back end takes back. */
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
    // What the back end did not wait for is read to its end: closed before, the app might lose the answer.
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
