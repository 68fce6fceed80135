import { createStore } from '#console/core/store.ts';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { minuteMs } from '#rules/time/durations.ts';
import {
  type Device,
  FirmwareUpdater,
  type May,
  sha256Of,
  type Target,
  type TargetComponent,
  UpdateFault,
} from '#sdk/device.ts';
import type { Fetch } from '#sdk/fetch.ts';
import { isOneOf, persistedStore } from './persistedStore.ts';

/** Simulated faults. */
export type Fault =
  | 'none'
  | 'checksum'
  | 'signature'
  | 'dropOut'
  | 'slow'
  | 'noSpace'
  | 'decline'
  | 'postpone'
  | 'boot'
  | 'selfTest';

const installMs = 1_500;
const awayMs = 2_500;
const slowMs = 250;
const postponedMs = minuteMs;

/** The simulated firmware, with the device-specific parts that the SDK's updater needs. */
export class FirmwareUpdate {
  readonly target = createStore<Target | null | undefined>(undefined);
  readonly installed = createStore<InstalledFrame>({ components: [] });
  readonly progress = createStore<ProgressFrame | undefined>(undefined);
  readonly isRunning = createStore(false);
  readonly begins = persistedStore('updates', 'self', isOneOf('self', 'hand'));
  readonly fault = createStore<Fault>('none');
  readonly #device: Device;
  readonly #updater: FirmwareUpdater;
  readonly #slots = new Map<string, Uint8Array[]>();
  /** The sequence of the target that was started by hand. */
  #begun: number | undefined;
  #runsNew = false;

  constructor(device: Device, fetch: Fetch) {
    this.#device = device;
    const memory = persistedStore(`firmware.${device.id}`, '', isText);
    memory.set(withoutDownload(memory.get()));
    this.#updater = new FirmwareUpdater({
      device,
      fetch,
      installed: { components: [] },
      store: { read: () => memory.get() || undefined, write: text => memory.set(text) },
      parts: {
        mayUpdate: target => this.#may(target),
        freeBytes: () => (this.fault.get() === 'noSpace' ? 0 : Number.POSITIVE_INFINITY),
        write: (component, bytes, offset) => this.#write(component, bytes, offset),
        checksum: ({ component }) =>
          this.fault.get() === 'checksum' ? '0'.repeat(64) : sha256Of(this.#slots.get(component) ?? []),
        install: () => this.#install(),
        reboot: () => this.#reboot(this.fault.get() !== 'boot').then(() => true),
        bootedNew: () => this.#runsNew,
        selfTest: () => this.fault.get() !== 'selfTest',
        confirm: () => undefined,
        revert: () => this.#reboot(false),
      },
    });
    device.onTarget(target => this.target.set(target));
    this.#updater.onProgress(progress => {
      this.progress.set(progress);
      this.isRunning.set(!resting.has(progress.state));
    });
    this.#updater.onInstalled(installed => this.installed.set(installed));
    void this.#updater.start();
  }

  /** Starts an update that waits to be started by hand, or that was declined or postponed. */
  begin(): void {
    this.#begun = this.target.get()?.sequence;
    this.#updater.proceed();
  }

  #may(target: Target): May {
    const fault = this.fault.get();
    if (fault === 'signature') throw new UpdateFault('signature_invalid', 'The signature is not valid.');
    if (fault === 'decline') return 'decline';
    if (fault === 'postpone') return { postponedUntil: new Date(Date.now() + postponedMs) };
    const isAllowed = this.begins.get() === 'self' || this.#begun === target.sequence;
    return isAllowed ? 'yes' : { waitsFor: 'consent' };
  }

  async #write({ component, size }: TargetComponent, bytes: Uint8Array, offset: number): Promise<void> {
    const before = offset === 0 ? [] : (this.#slots.get(component) ?? []);
    this.#slots.set(component, [...before, bytes.slice()]);
    if (this.fault.get() === 'slow') await pause(slowMs);
    if (this.fault.get() === 'dropOut' && offset + bytes.length >= size / 2) {
      this.fault.set('none');
      await this.#away();
    }
  }

  async #install(): Promise<void> {
    this.#runsNew = false;
    await pause(installMs);
  }

  async #reboot(startsNew: boolean): Promise<void> {
    await this.#away();
    this.#runsNew = startsNew;
  }

  /** Goes offline without DISCONNECT, and comes back. */
  async #away(): Promise<void> {
    this.#device.disconnect({ abruptly: true });
    await pause(awayMs);
    this.#device.connect();
  }
}

const resting = new Set<ProgressFrame['state']>(['ready', 'done', 'failed', 'declined', 'postponed']);

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Removes the stored download, because the downloaded bytes are lost when the window is reloaded. */
function withoutDownload(text: string): string {
  const memory: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isObject(memory) || !isObject(memory.pending) || memory.pending.stage !== 'download') return text;
  const { pending, ...rest } = memory;
  return JSON.stringify(rest);
}
