import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { Busy } from '#sdk/busy.ts';
import { type Hear, Kept, type Stop } from '#sdk/connection/listeners.ts';
import type { Target } from '#sdk/frames.ts';
import type { UpdaterOptions } from './firmwareParts.ts';
import { recover } from './trial.ts';
import { UpdateContext } from './updateContext.ts';
import { faultOf, type UpdateFault } from './updateFault.ts';
import { readMemory } from './updateMemory.ts';
import { UpdateRun } from './updateRun.ts';

/** How often a target that fails its integrity check is tried. */
const integrityMax = 3;
const unableMs = 6 * hourMs;
const transient = { firstMs: minuteMs, mostMs: 6 * hourMs };
/** How often a postponed update checks the clock, which may be set meanwhile. */
const clock = { leastMs: minuteMs, mostMs: 10 * minuteMs };

/**
 * Updates a device to its target firmware. The states are those in docs/firmware.md. Everything that must not be lost
 * is in the store, so an update continues after a power cut at any point.
 */
export class FirmwareUpdater {
  readonly #options: UpdaterOptions;
  readonly #progress = new Kept<ProgressFrame>();
  readonly #installed = new Kept<InstalledFrame>();
  readonly #life = new AbortController();
  #context: UpdateContext | undefined;
  #run: UpdateRun | undefined;
  /** The device is about to go down: what arrives until then is left to the next start. */
  #isGoingDown = false;
  /** There is something new to process. */
  #isStale = false;
  #retry: AbortController | undefined;
  /** The sequence of the target that failed and is tried again after a pause. */
  #pausedFor: number | undefined;
  #failures = 0;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /**
   * Call this once at each start of the device. Resolves when an update that was being installed is confirmed or
   * reverted.
   */
  async start(): Promise<void> {
    const { store, installed, device } = this.#options;
    const memory = await readMemory(store, installed);
    const kept = { progress: this.#progress, installed: this.#installed };
    const context = new UpdateContext(this.#options, memory, kept);
    this.#context = context;
    this.#installed.emit(memory.installed);
    await recover(context);
    if (this.#life.signal.aborted) return;
    device.reportInstalled(memory.installed).catch(() => undefined);
    const stop = device.onTarget(target => this.#take(context, target));
    this.#life.signal.addEventListener('abort', stop);
  }

  /** Stops the update in progress; the next `start` continues it. */
  stop(): void {
    this.#life.abort();
    this.#retry?.abort();
    this.#run?.abort();
  }

  /** Call this when something that `mayUpdate` depends on has changed, so that it is asked again. */
  proceed(): void {
    this.#retry?.abort();
    this.#pausedFor = undefined;
    this.#isStale = true;
    if (!this.#run && this.#context) void this.#work(this.#context);
  }

  get installed(): InstalledFrame {
    return this.#installed.latest ?? this.#options.installed;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  onInstalled(hear: Hear<InstalledFrame>): Stop {
    return this.#installed.add(hear);
  }

  /** Called with everything that is reported to the platform. */
  onProgress(hear: Hear<ProgressFrame>): Stop {
    return this.#progress.add(hear);
  }

  #take(context: UpdateContext, target: Target | null): void {
    context.target = target;
    // The same target with new links: the run takes them from the context.
    if (this.#run && this.#run.target.sequence === target?.sequence) return;
    this.#run?.abort();
    // The platform sends the target on each connection, which must not shorten the pause after a failure.
    if (target && target.sequence !== this.#pausedFor) this.proceed();
  }

  /** Executes one run after another until there is nothing new. */
  async #work(context: UpdateContext): Promise<void> {
    while (this.#isStale && !this.#isGoingDown && !this.#life.signal.aborted) {
      this.#isStale = false;
      const { target, memory } = context;
      if (!target || target.sequence === memory.refused?.sequence) return;
      const run = new UpdateRun(context, target);
      this.#run = run;
      try {
        const end = await run.run();
        if (end === 'rebooted') await recover(context);
        if (end === 'rebooting') this.#isGoingDown = true;
        if (end === 'superseded') this.#isStale = true;
        if (typeof end === 'object') this.#postpone(end.postponedUntil, context);
        this.#failures = 0;
      } catch (error) {
        // Another target has arrived.
        if (run.isAborted) this.#isStale = true;
        else await this.#failed(faultOf(error, 'install_failed'), run.target, context);
      } finally {
        this.#run = undefined;
      }
    }
  }

  async #failed(fault: UpdateFault, { sequence }: Target, context: UpdateContext): Promise<void> {
    const { code, class: kind } = fault;
    void context.report({ state: 'failed', sequence, code, error: fault.message });
    const { memory } = context;
    const toldMs = fault.cause instanceof Busy ? fault.cause.ms : 0;
    if (kind === 'transient') return this.#again(sequence, Math.max(toldMs, this.#backoffMs()), context);
    if (kind === 'unable') return this.#again(sequence, unableMs, context);
    const before = memory.integrity?.sequence === sequence ? memory.integrity.count : 0;
    if (kind !== 'integrity' || before + 1 >= integrityMax) return context.refuse(sequence, code);
    memory.integrity = { sequence, count: before + 1 };
    // Start over, because the stored data is wrong.
    delete memory.pending;
    this.#again(sequence, this.#backoffMs(), context);
    await context.saveIfPossible();
  }

  /** Doubles after each consecutive failure, with jitter, so that a fleet does not retry at the same instant. */
  #backoffMs(): number {
    const { firstMs, mostMs } = transient;
    const span = Math.min(mostMs, firstMs * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    return span * (0.5 + Math.random() / 2);
  }

  #again(sequence: number, ms: number, { wait }: UpdateContext): void {
    this.#pausedFor = sequence;
    this.#proceedAfter(signal => wait(ms, signal));
  }

  /** At least a minute: `mayUpdate` may return a time in the past, or an invalid one. */
  #postpone(until: Date, context: UpdateContext): void {
    this.#proceedAfter(async signal => {
      for (let isDue = false; !isDue; isDue = !(until > context.now)) {
        const ms = until.getTime() - context.now.getTime() || 0;
        await context.wait(Math.min(Math.max(ms, clock.leastMs), clock.mostMs), signal);
      }
    });
  }

  #proceedAfter(pause: (signal: AbortSignal) => Promise<void>): void {
    const retry = new AbortController();
    this.#retry = retry;
    pause(retry.signal).then(
      () => retry.signal.aborted || this.proceed(),
      () => undefined,
    );
  }
}
