import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { deserialize } from 'node:v8';
import type { Answer } from '#server/modules/expressions/given.ts';
import { answersFd, type Kind, kinds, marksFd, readFrames, writeFrame } from './pipeFrames.ts';

const heapMb = 64;
/** A process that does not answer within this time is ended, whatever it does. */
const answerMaxMs = 15_000;

/** `stopped`: the index of the job that was stopped, and why. `died`: that of the last job that began, if known. */
export type Asked =
  | { answer: Answer }
  | { stopped: number; because: Exclude<Kind, 'results'> }
  | { died: number | undefined };

/** A child process that evaluates one batch at a time. After a job was stopped it cannot be asked again. */
export class EvaluatorProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #take: (asked: Asked) => void = () => undefined;
  #lastMark: number | undefined;
  isUsable = true;

  constructor(thread: URL, { isLate = false } = {}) {
    const program = fileURLToPath(new URL('./evaluationProcess.ts', import.meta.url));
    const args = [`--max-old-space-size=${heapMb}`, '--no-warnings', program, fileURLToPath(thread)];
    if (isLate) args.push('late');
    this.#child = spawn(process.execPath, args, {
      // Nothing of the environment: it contains secrets. Times of day are computed in UTC.
      env: { TZ: 'UTC' },
      stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.#child, 'close').catch(() => undefined);
    this.#child.on('error', () => undefined);
    this.#child.stdin?.on('error', () => undefined);
    readFrames(this.#stream(answersFd), ({ mark, content }) =>
      this.#answered(kinds[mark] ?? 'tooSlow', content),
    );
    readMarks(this.#stream(marksFd), index => {
      this.#lastMark = index;
    });
    // After all that it wrote was read.
    void this.#ended.then(() => {
      this.isUsable = false;
      this.#take({ died: this.#lastMark });
    });
    // The process need not keep its parent alive: callers that wait for an answer do.
    this.#child.unref();
    for (const stream of this.#child.stdio) (stream as Socket | null)?.unref();
  }

  /** With `isMarked`, the job that ends the process is known, at the price of a write for each job. */
  async ask(content: Buffer<ArrayBuffer>, { isMarked }: { isMarked: boolean }): Promise<Asked> {
    const { promise, resolve } = Promise.withResolvers<Asked>();
    this.#take = resolve;
    this.#lastMark = undefined;
    if (!this.isUsable) resolve({ died: undefined });
    else writeFrame(this.#child.stdin as Writable, { mark: isMarked ? 1 : 0, content });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), answerMaxMs);
    const asked = await promise;
    clearTimeout(timer);
    if (!('answer' in asked)) await this.end();
    return asked;
  }

  async end(): Promise<void> {
    this.isUsable = false;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #answered(kind: Kind, content: Uint8Array<ArrayBuffer>): void {
    if (kind === 'results') this.#take({ answer: deserialize(content) as Answer });
    else this.#take({ stopped: new DataView(content.buffer).getUint32(0, true), because: kind });
  }

  #stream(fd: number): Readable {
    return this.#child.stdio[fd] as Readable;
  }
}

function readMarks(from: Readable, take: (index: number) => void): void {
  let rest = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    const all = Buffer.concat([rest, chunk]);
    const whole = all.length - (all.length % 4);
    if (whole > 0) take(all.readUInt32LE(whole - 4));
    rest = all.subarray(whole);
  });
}
