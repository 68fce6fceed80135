import { createHash } from 'node:crypto';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import {
  type FirmwareParts,
  FirmwareUpdater,
  type Target,
  type UpdateLink,
  type UpdaterOptions,
} from '#sdk/device.ts';
import { isRefusal, readFrame } from '#server/classes/frames/frames.ts';
import { until } from './until.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The part of the platform that a device needs to update itself. */
class FakePlatform implements UpdateLink {
  readonly id = 'dev_1';
  target: Target | null = null;
  readonly progress: ProgressFrame[] = [];
  readonly installed: InstalledFrame[] = [];
  isAway = false;
  reads = 0;
  /** Called before the nth read of the target, to change it. */
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

  /** A report that the gateway would reject is not stored. */
  async reportProgress(progress: ProgressFrame): Promise<void> {
    const read = readFrame('progress', Buffer.from(JSON.stringify(progress)));
    if (!isRefusal(read)) this.progress.push(progress);
  }

  reportInstalled(installed: InstalledFrame): Promise<void> {
    this.installed.push(installed);
    return this.isAway ? new Promise(() => undefined) : Promise.resolve();
  }

  get states(): string[] {
    return this.progress.map(({ state, code }) => (state === 'failed' ? `failed ${code}` : state));
  }
}

/** Never resolves, because the power is cut. */
const never = new Promise<never>(() => undefined);

/**
 * A device with two slots, a boot loader and a store that survive a power cut. The cut happens before or after the nth
 * action on them.
 */
export class UpdateRig {
  readonly platform = new FakePlatform();
  readonly slots = new Map<string, Uint8Array>();
  /** The actions on everything that survives a power cut, in order. */
  readonly done: string[] = [];
  readonly waits: number[] = [];
  /** When the power is cut; undefined: never. */
  cut: { at: number; when: 'before' | 'after' } | undefined;
  isOff = false;
  text: string | undefined;
  boot: { runs: 'old' | 'new'; starts: 'old' | 'new'; once: boolean } = {
    runs: 'old',
    starts: 'old',
    once: false,
  };
  /** True: the watchdog of a trial fires at once. */
  trialIsOver = false;
  more: Partial<FirmwareParts> = {};
  options: Partial<UpdaterOptions> = {};
  updater = this.#anUpdater();

  /** Switches the device on: the boot loader starts a version, and the device continues. */
  powerOn(): void {
    const { boot } = this;
    this.isOff = false;
    boot.runs = boot.once ? 'new' : boot.starts;
    boot.once = false;
    this.updater.stop();
    this.updater = this.#anUpdater();
    void this.updater.start();
  }

  /** Resolves when the device is off, or has last reported one of these states. */
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
      // Retries happen at once; the watchdog of a trial and retries after hours never happen.
      wait: async (ms, signal) => {
        this.waits.push(ms);
        const isLong = ms >= 5 * 60_000 && !this.trialIsOver;
        await (isLong ? never : new Promise(resolve => setImmediate(resolve)));
        signal?.throwIfAborted();
      },
      parts: {
        // Not recorded, because the number of chunks depends on the network.
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
