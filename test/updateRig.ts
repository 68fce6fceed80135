import { createHash } from 'node:crypto';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import {
  type FirmwareParts,
  FirmwareUpdater,
  type Target,
  type UpdateLink,
  type UpdaterOptions,
} from '#sdk/device.ts';
import { until } from './until.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The platform, as far as a device that updates itself sees it. */
class FakePlatform implements UpdateLink {
  readonly id = 'dev_1';
  target: Target | null = null;
  readonly progress: ProgressFrame[] = [];
  readonly installed: InstalledFrame[] = [];
  isAway = false;
  reads = 0;
  /** What the target is when it is read for the nth time. */
  onRead: ((count: number) => void) | undefined;
  readonly #hears = new Set<(target: Target | null) => void>();

  onTarget(hear: (target: Target | null) => void) {
    this.#hears.add(hear);
    hear(this.target);
    return () => this.#hears.delete(hear);
  }

  tell(target: Target | null): void {
    this.target = target;
    for (const hear of this.#hears) hear(target);
  }

  async readTarget(): Promise<Target | null> {
    this.reads += 1;
    this.onRead?.(this.reads);
    return this.target;
  }

  async reportProgress(progress: ProgressFrame): Promise<void> {
    this.progress.push(progress);
  }

  reportInstalled(installed: InstalledFrame): Promise<void> {
    this.installed.push(installed);
    return this.isAway ? new Promise(() => undefined) : Promise.resolve();
  }

  get states(): string[] {
    return this.progress.map(({ state, code }) => (state === 'failed' ? `failed ${code}` : state));
  }
}

/** Never comes back: the power is cut. */
const never = new Promise<never>(() => undefined);

/**
 * A device with two slots, a boot loader and a store that survive a power cut, which comes before or after the nth thing
 * that is done to them.
 */
export class UpdateRig {
  readonly platform = new FakePlatform();
  readonly slots = new Map<string, Uint8Array>();
  /** What was done to what survives, and what was told of it. */
  readonly done: string[] = [];
  readonly waits: number[] = [];
  /** Which power cut comes; undefined: none. */
  cut: { at: number; when: 'before' | 'after' } | undefined;
  isOff = false;
  text: string | undefined;
  boot: { runs: 'old' | 'new'; starts: 'old' | 'new'; once: boolean } = {
    runs: 'old',
    starts: 'old',
    once: false,
  };
  /** The watchdog of a trial bites at once. */
  trialIsOver = false;
  more: Partial<FirmwareParts> = {};
  options: Partial<UpdaterOptions> = {};
  updater = this.#anUpdater();

  /** Switched on: the boot loader starts what it is to start, and the device goes on. */
  powerOn(): void {
    const { boot } = this;
    this.isOff = false;
    boot.runs = boot.once ? 'new' : boot.starts;
    boot.once = false;
    this.updater.stop();
    this.updater = this.#anUpdater();
    void this.updater.start();
  }

  /** Until nothing more happens: it is off, or one of these was reported. */
  async ends(...states: string[]): Promise<string> {
    const last = () => this.platform.states.at(-1) ?? '';
    return until(() => (this.isOff ? 'off' : states.includes(last()) ? last() : undefined));
  }

  #anUpdater(): FirmwareUpdater {
    let isPowered = true;
    const act = async (name: string, change: () => void = () => undefined) => {
      if (!isPowered || this.isOff) return never;
      const isCut = this.cut?.at === this.done.push(name);
      if (!isCut || this.cut?.when === 'after') change();
      if (!isCut) return;
      isPowered = false;
      this.isOff = true;
      this.cut = undefined;
      await never;
    };
    const { platform } = this;
    const heard =
      <A extends unknown[], R>(tell: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        isPowered ? tell(...args) : never;
    return new FirmwareUpdater({
      device: {
        id: platform.id,
        onTarget: hear => platform.onTarget(target => isPowered && hear(target)),
        readTarget: heard(() => platform.readTarget()),
        reportProgress: heard(progress => platform.reportProgress(progress)),
        reportInstalled: heard(installed => platform.reportInstalled(installed)),
      },
      installed: { components: [{ component: 'main', version: '1.0.0' }] },
      store: {
        read: () => this.text,
        write: text =>
          act(`store ${stageOf(text)}`, () => {
            this.text = text;
          }),
      },
      // Retries come at once; the watchdog of a trial, and what is tried after hours, is not waited for.
      wait: async (ms, signal) => {
        this.waits.push(ms);
        const isLong = ms >= 5 * 60_000 && !this.trialIsOver;
        await (isLong ? never : new Promise(resolve => setImmediate(resolve)));
        signal?.throwIfAborted();
      },
      parts: {
        // Not counted: how many pieces come is the network's affair.
        write: ({ component, size }, bytes, offset) => {
          const slot = this.slots.get(component) ?? new Uint8Array(size);
          slot.set(bytes, offset);
          this.slots.set(component, slot);
        },
        checksum: ({ component }) => sha256(this.slots.get(component) ?? new Uint8Array()),
        install: () =>
          act('install', () => {
            this.boot.once = true;
          }),
        reboot: () => act('reboot').then(() => this.#restart()),
        bootedNew: () => this.boot.runs === 'new',
        confirm: () =>
          act('confirm', () => {
            this.boot.starts = 'new';
          }),
        revert: () => act('revert').then(() => this.#restart()),
        ...this.more,
      },
      ...this.options,
    });
  }

  #restart(): Promise<never> {
    queueMicrotask(() => this.powerOn());
    return never;
  }
}

function stageOf(text: string): string {
  const memory = JSON.parse(text) as { pending?: { stage: string; offset: number } };
  return memory.pending ? `${memory.pending.stage} ${memory.pending.offset}` : 'settled';
}
