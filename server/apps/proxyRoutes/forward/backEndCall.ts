import type { Duplex } from 'node:stream';
import { type Dispatcher, errors, type Pool } from 'undici';
import { Problem, type Reason } from '#contract/problem.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import { faultOf, OutsideFault } from '#server/infra/outside/faults.ts';
import { type KeptAnswer, keptAnswer } from './answerHeaders.ts';
import type { ProxyLimits } from './proxyLimits.ts';

/** What a body reports while it is being sent. */
export interface Progress {
  touch(): void;
  /** True while the call waits for the app to send its body. */
  waitsForSender: boolean;
}

export interface Outgoing {
  method: string;
  path: string;
  /** Alternating names and values. */
  headers: string[];
  body: Buffer | ((progress: Progress) => AsyncIterable<Buffer>) | undefined;
  isUpgrade: boolean;
}

/** The recipient of the answer. */
export interface Receiver {
  readonly hasLeft: boolean;
  onLeft(hear: () => void): void;
  start(status: number, answer: KeptAnswer): void;
  /** Returns false if the recipient is full: then write no more until `onDrain` calls back. */
  write(chunk: Buffer): boolean;
  onDrain(hear: () => void): void;
  end(): void;
  /** Ends an answer that cannot be completed. */
  breakOff(): void;
  upgrade(answer: KeptAnswer, socket: Duplex): void;
}

/** The outcome of a call whose answer has begun. */
export interface Outcome {
  status: number;
  bytes: number;
  /** The reason why the answer broke off. */
  failedFor?: Reason | undefined;
  /** In words, for the developer. */
  fault?: string | undefined;
  hasLeft: boolean;
}

export const isEventStream = ({ contentType }: KeptAnswer) => contentType.startsWith('text/event-stream');

/**
 * One call to a back end. Each callback first checks whether the call is over: undici may still call after an abort,
 * and data that nobody reads would keep its socket open forever.
 */
export class BackEndCall implements Dispatcher.DispatchHandler, Progress {
  readonly #pool: Pool;
  readonly #outgoing: Outgoing;
  readonly #receiver: Receiver;
  readonly #limits: ProxyLimits;
  readonly #done = Promise.withResolvers<Outcome>();
  /** Called once undici has finished with the call. */
  #onReleased: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status = 0;
  #bytes = 0;
  #retriesLeft: number;
  #streamTimer: NodeJS.Timeout | undefined;
  waitsForSender = false;

  constructor(
    pool: Pool,
    outgoing: Outgoing,
    receiver: Receiver,
    limits: ProxyLimits,
    onReleased: () => void,
  ) {
    this.#pool = pool;
    this.#onReleased = onReleased;
    this.#outgoing = outgoing;
    this.#receiver = receiver;
    this.#limits = limits;
    const { method, body, isUpgrade } = outgoing;
    this.#retriesLeft = (method === 'GET' || method === 'HEAD') && body === undefined && !isUpgrade ? 1 : 0;
    this.#timer = setTimeout(() => this.#fail(this.#late()), limits.idleMs);
  }

  /** Rejects if the answer does not begin. */
  run(): Promise<Outcome> {
    this.#receiver.onLeft(() => this.#leave());
    this.#dispatch();
    return this.#done.promise;
  }

  /** Restarts the timeout: the back end accepts or sends data, or its answer is being read. */
  touch(): void {
    (this.#streamTimer ?? this.#timer).refresh();
  }

  #dispatch(): void {
    const { method, path, headers, body, isUpgrade } = this.#outgoing;
    const options: Dispatcher.DispatchOptions = {
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      body: (typeof body === 'function' ? body(this) : (body ?? null)) as never,
    };
    if (isUpgrade) options.upgrade = 'websocket';
    this.#pool.dispatch(options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver || this.#receiver.hasLeft) controller.abort(gone);
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    _status: number,
    _headers: unknown,
    socket: Duplex,
  ): void {
    const answer = keptAnswer(controller.rawHeaders as Buffer[]);
    socket.once('close', () => this.#release());
    if (this.#isOver || !answer) {
      socket.on('error', () => undefined).destroy();
      if (!answer) this.#fail(new Problem('PROXY_UNREACHABLE'));
      return;
    }
    this.#status = 101;
    this.#receiver.upgrade(answer, socket);
    this.#finish({ hasLeft: false });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#isOver) controller.abort(gone);
    if (this.#isOver || status < 200) return;
    const answer = keptAnswer(controller.rawHeaders as Buffer[]);
    if (answer) this.#begin(status, answer);
    else this.#fail(new Problem('PROXY_UNREACHABLE'), 'The length of its answer is ambiguous.');
  }

  #begin(status: number, answer: KeptAnswer): void {
    if (isEventStream(answer)) {
      clearTimeout(this.#timer);
      this.#streamTimer = setTimeout(() => this.#fail(this.#late()), this.#limits.streamIdleMs);
    } else this.#timer.refresh();
    try {
      this.#receiver.start(status, answer);
      this.#status = status;
    } catch (error) {
      this.#fail(new Problem('PROXY_UNREACHABLE'), `Its headers cannot be passed on. ${error}`);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) {
      controller.abort(gone);
      return;
    }
    this.touch();
    this.#bytes += chunk.length;
    if (this.#receiver.write(chunk)) return;
    controller.pause();
    this.#receiver.onDrain(() => {
      this.touch();
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#isOver) return;
    this.#receiver.end();
    this.#finish({ hasLeft: false });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!this.#isOver && this.#mayRetry(error)) {
      this.#retriesLeft -= 1;
      this.#controller = undefined;
      this.#dispatch();
      return;
    }
    this.#release();
    if (!this.#isOver) this.#fail(...problemOf(error));
  }

  #late(): Problem {
    if (!this.waitsForSender) return new Problem('PROXY_TIMEOUT');
    return new Problem('MALFORMED', { message: 'The request body took too long to arrive.' });
  }

  /** A kept-alive connection may close just as it is used; then the back end has not seen the call. */
  #mayRetry(error: Error): boolean {
    return (
      this.#retriesLeft > 0 && this.#status === 0 && error instanceof errors.SocketError && wasUsed(error)
    );
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#finish({ hasLeft: true });
    this.#controller?.abort(gone);
  }

  #fail(problem: Problem, fault?: string): void {
    if (this.#isOver) return;
    problem.cause ??= fault;
    if (this.#status === 0) {
      this.#end();
      this.#done.reject(problem);
    } else {
      this.#receiver.breakOff();
      this.#finish({ hasLeft: false, failedFor: problem.reason, fault });
    }
    this.#controller?.abort(gone);
  }

  #finish(more: Pick<Outcome, 'hasLeft' | 'failedFor' | 'fault'>): void {
    this.#end();
    this.#done.resolve({ status: this.#status, bytes: this.#bytes, ...more });
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#streamTimer);
  }

  #release(): void {
    const tell = this.#onReleased;
    this.#onReleased = undefined;
    tell?.();
  }
}

const gone = new Error('The call is over.');

/** Over TLS, the handshake also counts as received bytes: sending a GET twice does no harm. */
function wasUsed({ socket }: InstanceType<typeof errors.SocketError>): boolean {
  return (socket?.bytesRead ?? 0) > 0;
}

/** The problem for an error of undici, with the cause in words if it is known. */
function problemOf(error: Error): [Problem, string | undefined] {
  // Thrown by the body, because of the sender.
  if (error instanceof Problem) return [error, undefined];
  const code = errorCode(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return [new Problem('PROXY_UNREACHABLE'), 'It does not accept the connection.'];
  if (error instanceof errors.SocketError)
    return [new Problem('PROXY_UNREACHABLE'), 'It closed the connection.'];
  const fault = faultOf(error instanceof AggregateError ? (error.errors[0] ?? error) : error);
  return [new Problem('PROXY_UNREACHABLE'), fault instanceof OutsideFault ? fault.message : error.message];
}
