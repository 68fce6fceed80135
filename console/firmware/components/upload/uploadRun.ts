import { createStore } from '#console/core/store.ts';
import { CallFailed } from '#contract/client.ts';
import type { Signature, VersionUpload } from '#contract/componentVersion.ts';
import { Pace } from './uploadPace.ts';
import { type Part, partsOf } from './uploadParts.ts';
import { isPassing, refusalOf, type UploadRefusal } from './uploadRefusal.ts';
import { isOver, type PartState, type PartView, type UploadView, type UploadWorld } from './uploadView.ts';

const lanes = 3;
const triesMax = 3;
const firstWaitMs = 1000;
const waitMsMax = 30_000;

const publishMs = 100;

/** One running upload: its parts in several lanes, the checksum beside them, and its recovery from network failures. */
export class UploadRun {
  readonly view;
  readonly #world: UploadWorld;
  readonly #expected: string | undefined;
  readonly #all = new AbortController();
  readonly #pace = new Pace();
  readonly #tries = new Map<number, number>();
  readonly #sha256: Promise<string | undefined>;
  #urls: readonly string[];
  #parts: PartView[];
  /** The current lanes: once aborted, they take no more parts. */
  #round = new AbortController();
  /** The parts being sent: once aborted, they are given up. */
  #sending = new AbortController();
  readonly #puts = new Set<Promise<void>>();
  #cutAt: number | undefined;
  #changes: Partial<UploadView> = {};
  #publishing: ReturnType<typeof setTimeout> | undefined;

  constructor(upload: VersionUpload, world: UploadWorld) {
    const { filename, sizeBytes, partBytes, urls, stored, sha256 } = upload;
    this.#world = world;
    this.#urls = urls;
    this.#expected = sha256?.toLowerCase();
    this.#parts = partsOf(sizeBytes, partBytes).map(part =>
      stored.includes(part.number)
        ? { ...part, state: 'stored', sentBytes: part.to - part.from }
        : { ...part, state: 'missing', sentBytes: 0 },
    );
    this.view = createStore<UploadView>({
      phase: 'sending',
      filename,
      sizeBytes,
      partBytes,
      parts: this.#parts,
      readBytes: 0,
      sentBytes: sentOf(this.#parts),
      bytesPerS: undefined,
      sha256: undefined,
      retryAt: undefined,
      resumedAfterMs: undefined,
      refusal: undefined,
    });
    this.#sha256 = this.#hash();
    void this.#go();
  }

  pause(): void {
    if (!['sending', 'waiting'].includes(this.view.get().phase)) return;
    this.#round.abort();
    this.#sending.abort();
    this.#publish({ phase: 'paused', retryAt: undefined });
  }

  resume(): void {
    if (this.view.get().phase === 'paused') void this.#go();
  }

  /** Sends again what has failed for good: one part, or all of them. */
  retry(number?: number): void {
    for (const part of this.#parts)
      if (part.state === 'failed' && (number ?? part.number) === part.number)
        this.#set(part.number, 'missing');
    this.#tries.clear();
    if (this.view.get().phase === 'stuck') void this.#go();
  }

  /** Stops for good. What is stored stays on the server until someone removes it. */
  stop(phase: 'cancelled' | 'failed' = 'cancelled', refusal?: UploadRefusal): void {
    this.#all.abort();
    this.#round.abort();
    this.#sending.abort();
    this.#publish({ phase, refusal, retryAt: undefined });
  }

  sign(signature: Signature): void {
    if (this.view.get().phase === 'signing') void this.#complete(signature);
  }

  async #go(): Promise<void> {
    const round = new AbortController();
    this.#round = round;
    this.#sending = new AbortController();
    this.#pace.restart();
    this.#publish({ phase: 'sending', refusal: undefined, retryAt: undefined });
    await Promise.all(Array.from({ length: lanes }, () => this.#lane(round)));
    if (round.signal.aborted) return;
    if (this.#parts.some(({ state }) => state === 'failed')) this.#publish({ phase: 'stuck' });
    else await this.#finish(round);
  }

  async #lane(round: AbortController): Promise<void> {
    for (;;) {
      const part = this.#parts.find(({ state }) => state === 'missing');
      if (!part || round.signal.aborted) return;
      await this.#send(part, round);
    }
  }

  async #send({ number }: Part, round: AbortController): Promise<void> {
    const part = this.#set(number, 'sending');
    const url = this.#urls[number - 1] ?? '';
    const { signal } = this.#sending;
    const put = this.#world.put(part, url, signal, bytes => this.#progress(number, bytes));
    this.#puts.add(put);
    try {
      await put;
      this.#set(number, 'stored');
    } catch (error) {
      this.#set(number, 'missing');
      if (!round.signal.aborted) await this.#refused(number, error, round);
    } finally {
      this.#puts.delete(put);
    }
  }

  async #refused(number: number, error: unknown, round: AbortController): Promise<void> {
    if (isPassing(error)) return this.#interrupt(round, error);
    if (!(error instanceof CallFailed)) return this.stop('failed', refusalOf(error));
    const tries = (this.#tries.get(number) ?? 0) + 1;
    this.#tries.set(number, tries);
    if (tries < triesMax && error.reason === 'DIGEST_MISMATCH') return;
    if (tries < triesMax && isOldLink(error)) return this.#interrupt(round);
    this.#set(number, 'failed');
    this.#publish({ refusal: refusalOf(error) });
  }

  /** Asks the server which parts it has until it answers, then sends the missing ones: nothing is sent twice. */
  async #interrupt(round: AbortController, cause?: unknown): Promise<void> {
    if (round.signal.aborted) return;
    round.abort();
    const waiting = new AbortController();
    this.#round = waiting;
    const isCut = cause !== undefined;
    if (isCut) this.#cutAt ??= this.#world.now();
    for (let tries = 0, failure = cause; !waiting.signal.aborted; tries++) {
      if (failure !== undefined) await this.#wait(tries, failure, waiting.signal);
      // Parts that are still being sent may arrive after all.
      await Promise.allSettled(this.#puts);
      if (waiting.signal.aborted) return;
      try {
        this.#take(await this.#world.read());
        if (waiting.signal.aborted) return;
        if (isCut) this.#publish({ resumedAfterMs: this.#world.now() - (this.#cutAt ?? 0) });
        this.#cutAt = undefined;
        return await this.#go();
      } catch (error) {
        if (!isPassing(error)) return this.stop('failed', refusalOf(error));
        failure = error;
      }
    }
  }

  async #wait(tries: number, failure: unknown, signal: AbortSignal): Promise<void> {
    const ms = waitMs(tries, failure);
    this.#publish({ phase: 'waiting', retryAt: this.#world.now() + ms, bytesPerS: undefined });
    await this.#world.wait(ms, signal);
  }

  async #finish(round: AbortController): Promise<void> {
    if (this.view.get().sha256 === undefined) this.#publish({ phase: 'reading' });
    const sha256 = await this.#sha256;
    if (sha256 === undefined || round.signal.aborted) return;
    if (this.#world.isSigned) this.#publish({ phase: 'signing' });
    else await this.#complete();
  }

  async #complete(signature?: Signature): Promise<void> {
    const sha256 = (await this.#sha256) ?? '';
    this.#publish({ phase: 'completing', refusal: undefined });
    for (let tries = 0; !this.#all.signal.aborted; tries++) {
      try {
        await this.#world.complete({ sha256, ...(signature && { signature }) });
        return this.#publish({ phase: 'sent' });
      } catch (error) {
        if (error instanceof CallFailed && error.reason === 'PARTS_MISSING')
          return this.#interrupt(this.#round);
        if (error instanceof CallFailed && error.reason === 'SIGNATURE_INVALID')
          return this.#publish({ phase: 'signing', refusal: refusalOf(error) });
        if (!isPassing(error)) return this.stop('failed', refusalOf(error));
        await this.#world.wait(waitMs(tries, error), this.#all.signal);
      }
    }
  }

  async #hash(): Promise<string | undefined> {
    try {
      const read = (readBytes: number) => this.#publish({ readBytes }, true);
      const sha256 = await this.#world.hash(this.#all.signal, read);
      this.#publish({ sha256 });
      if (this.#expected === undefined || this.#expected === sha256) return sha256;
      this.stop('failed', { kind: 'checksum' });
    } catch (error) {
      if (!this.#all.signal.aborted) this.stop('failed', refusalOf(error));
    }
    return undefined;
  }

  /** Takes over which parts the server has, and the URLs for the rest. */
  #take({ urls, stored }: VersionUpload): void {
    this.#urls = urls;
    for (const { number, state } of this.#parts) {
      const isStored = stored.includes(number);
      if (isStored !== (state === 'stored')) this.#set(number, isStored ? 'stored' : 'missing');
    }
  }

  #set(number: number, state: PartState): PartView {
    const before = this.#parts[number - 1] as PartView;
    const after = { ...before, state, sentBytes: state === 'stored' ? before.to - before.from : 0 };
    this.#pace.add(after.sentBytes - before.sentBytes, this.#world.now());
    this.#parts = this.#parts.with(number - 1, after);
    this.#publish({}, true);
    return after;
  }

  #progress(number: number, bytes: number): void {
    const before = this.#parts[number - 1];
    if (before?.state !== 'sending') return;
    // A request is a little longer than the part that it carries.
    const sentBytes = Math.min(bytes, before.to - before.from);
    this.#pace.add(sentBytes - before.sentBytes, this.#world.now());
    this.#parts = this.#parts.with(number - 1, { ...before, sentBytes });
    this.#publish({}, true);
  }

  /** Once an upload is over, requests still in flight report nothing more. */
  #publish(changes: Partial<UploadView>, canWait = false): void {
    if (isOver(this.view.get().phase)) return;
    this.#changes = { ...this.#changes, ...changes };
    if (canWait) this.#publishing ??= setTimeout(() => this.#publishNow(), publishMs);
    else this.#publishNow();
  }

  #publishNow(): void {
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    const bytesPerS = this.#pace.bytesPerS(this.#world.now());
    const sentBytes = sentOf(this.#parts);
    this.view.set({ ...this.view.get(), parts: this.#parts, sentBytes, bytesPerS, ...this.#changes });
    this.#changes = {};
  }
}

function sentOf(parts: readonly PartView[]): number {
  return parts.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
}

/** Doubles with each attempt, with jitter, so that clients interrupted at the same time do not all return at once. */
function waitMs(tries: number, failure: unknown): number {
  const given = failure instanceof CallFailed ? (failure.retryAfterS ?? 0) * 1000 : 0;
  return Math.max(given, Math.min(waitMsMax, firstWaitMs * 2 ** tries) * (0.75 + Math.random() / 2));
}

/** Each read of the upload brings new URLs for its parts. */
function isOldLink({ reason }: CallFailed): boolean {
  return (
    reason === 'LINK_EXPIRED' ||
    reason === 'URL_EXPIRED' ||
    reason === 'UPLOAD_OVER' ||
    reason === 'FILE_NOT_FOUND'
  );
}
