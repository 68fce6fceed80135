import { createStore } from '#console/store.ts';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import { isObject } from '#rules/mergePatch.ts';
import {
  type Device,
  FirmwareFault,
  fetchComponent,
  type Target,
  type TargetComponent,
} from '#sdk/device.ts';
import type { Fetch } from '#sdk/fetch.ts';
import { isOneOf, keptStore } from './keptStore.ts';

export const firmwareFaults = ['none', 'checksum', 'dropOut', 'install', 'decline'] as const;
export type Fault = (typeof firmwareFaults)[number];

/** The platform is told of the way as often. */
const tellEveryMs = 500;
const stepMs = 500;
const awayMs = 2_500;

/** The firmware the device runs, and how it comes to another. */
export class FirmwareUpdate {
  readonly target = createStore<Target | null | undefined>(undefined);
  readonly installed;
  readonly progress = createStore<ProgressFrame | undefined>(undefined);
  readonly isRunning = createStore(false);
  readonly begins = keptStore('updates', 'self', isOneOf('self', 'hand'));
  readonly fault = createStore<Fault>('none');
  readonly #device: Device;
  readonly #fetch: Fetch;
  #run: AbortController | undefined;

  constructor(device: Device, fetch: Fetch) {
    this.#device = device;
    this.#fetch = fetch;
    this.installed = keptStore<InstalledFrame>(`installed.${device.id}`, { components: [] }, isInstalled);
    device.onTarget(target => {
      this.target.set(target);
      if (this.begins.get() === 'self') this.begin();
    });
    if (this.installed.get().components.length > 0) void device.reportInstalled(this.installed.get());
  }

  /** What has to be fetched to come from what runs to what shall run. */
  missing(): TargetComponent[] {
    const { components } = this.installed.get();
    const runs = new Set(components.map(({ component, version }) => `${component} ${version}`));
    return (this.target.get()?.components ?? []).filter(
      ({ component, version }) => !runs.has(`${component} ${version}`),
    );
  }

  /** From the beginning, also when it is under way for another target. */
  begin(): void {
    const target = this.target.get();
    if (!target || target.bundleId === this.installed.get().bundleId) return;
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.isRunning.set(true);
    void this.#update(target, run.signal)
      .catch((error: unknown) => this.#failed(error, run.signal))
      .finally(() => {
        if (this.#run === run) this.isRunning.set(false);
      });
  }

  async #update(target: Target, signal: AbortSignal): Promise<void> {
    if (this.fault.get() === 'decline') {
      this.#tell({ state: 'declined', error: 'Declined in the simulator.' });
      return;
    }
    for (const component of this.missing()) await this.#download(component, signal);
    for (const percent of [0, 40, 80]) {
      this.#tell({ state: 'installing', percent });
      await pause(stepMs, signal);
    }
    if (this.fault.get() === 'install')
      throw new Error('The new version did not start. The previous version was restored.');
    this.#tell({ state: 'rebooting' });
    await this.#away(signal);
    const { bundleId, components } = target;
    this.installed.set({
      bundleId,
      components: components.map(({ component, version }) => ({ component, version })),
    });
    void this.#device.reportInstalled(this.installed.get());
    this.#tell({ state: 'done', percent: 100 });
  }

  async #download(given: TargetComponent, signal: AbortSignal): Promise<void> {
    const { component, size } = given;
    const isMeantToFail = this.fault.get() === 'checksum';
    let toldMs = 0;
    await fetchComponent(isMeantToFail ? { ...given, sha256: '0'.repeat(64) } : given, {
      signal,
      fetch: this.#fetch,
      write: async (_, bytes) => {
        const percent = Math.floor((100 * bytes) / size);
        if (Date.now() - toldMs >= tellEveryMs || percent === 100) {
          toldMs = Date.now();
          this.#tell({ state: 'downloading', percent, component });
        }
        if (this.fault.get() === 'dropOut' && percent >= 50) {
          this.fault.set('none');
          await this.#away(signal);
        }
      },
    });
  }

  /** Off without a word, and back again. */
  async #away(signal: AbortSignal): Promise<void> {
    this.#device.disconnect({ abruptly: true });
    await pause(awayMs, signal);
    this.#device.connect();
  }

  #failed(error: unknown, signal: AbortSignal): void {
    // Another target has come, and began anew.
    if (signal.aborted) return;
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof FirmwareFault ? ` (${error.reason})` : '';
    this.#tell({ state: 'failed', error: error.message + reason });
  }

  #tell(progress: ProgressFrame): void {
    this.progress.set(progress);
    void this.#device.reportProgress(progress);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(() => (signal.aborted ? reject(signal.reason) : resolve()), ms);
  });
}

function isInstalled(value: unknown): value is InstalledFrame {
  return isObject(value) && Array.isArray(value.components);
}
