import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import { Busy } from '#sdk/busy.ts';
import type { Kept } from '#sdk/connection/listeners.ts';
import type { Target, TargetComponent } from '#sdk/frames.ts';
import { shortText } from '#sdk/shortText.ts';
import type { UpdaterOptions } from './firmwareParts.ts';
import { faultOf, UpdateFault } from './updateFault.ts';
import type { UpdateMemory } from './updateMemory.ts';
import { type Wait, wait } from './wait.ts';

/** The platform rejects a longer text, and the failure with it. */
const errorMax = 2000;

/** State that the steps of an update share. */
export class UpdateContext {
  readonly options: UpdaterOptions;
  readonly memory: UpdateMemory;
  readonly progress: Kept<ProgressFrame>;
  readonly installed: Kept<InstalledFrame>;
  readonly wait: Wait;
  /** The target received last. */
  target: Target | null | undefined;

  constructor(
    options: UpdaterOptions,
    memory: UpdateMemory,
    kept: Pick<UpdateContext, 'progress' | 'installed'>,
  ) {
    this.options = options;
    this.memory = memory;
    this.progress = kept.progress;
    this.installed = kept.installed;
    this.wait = options.wait ?? wait;
  }

  get now(): Date {
    return this.options.now?.() ?? new Date();
  }

  async save(): Promise<void> {
    try {
      await this.options.store.write(JSON.stringify(this.memory));
    } catch (error) {
      throw faultOf(error, 'interrupted');
    }
  }

  /** If the store fails, the unsaved state is only valid until the next start. */
  async saveIfPossible(): Promise<void> {
    await this.save().catch(() => undefined);
  }

  /**
   * Resolves when the platform has stored it. Reports that the connection does not accept are repeated by the next
   * start.
   */
  report(progress: ProgressFrame): Promise<void> {
    const { error } = progress;
    const report = { ...progress, ...(error !== undefined && { error: shortText(error, errorMax) }) };
    this.progress.emit(report);
    return this.options.device.reportProgress(report).catch(() => undefined);
  }

  async readTarget(): Promise<Target | null> {
    const reading = this.options.device.readTarget();
    return reading.catch((error: unknown) => {
      const code = error instanceof Busy ? 'server_busy' : 'network';
      throw new UpdateFault(code, 'The target could not be read again.', { cause: error });
    });
  }

  /** Stores these components as installed, and that no update is in progress any more. */
  async settle(target: Target): Promise<void> {
    const { memory } = this;
    const { bundleId, sequence, components } = target;
    memory.installed = { bundleId, sequence, components: components.map(runs) };
    memory.sequence = sequence;
    for (const { component, securityVersion = 0 } of components)
      memory.securityVersions[component] = Math.max(securityVersion, memory.securityVersions[component] ?? 0);
    delete memory.pending;
    await this.save();
    this.installed.emit(memory.installed);
  }

  /** Stores that the target will not be tried again, because it failed permanently. */
  async refuse(sequence: number, code: string): Promise<void> {
    this.memory.refused = { sequence, code };
    delete this.memory.pending;
    await this.saveIfPossible();
  }
}

export function runs({ component, version, sha256 }: TargetComponent) {
  return { component, version, sha256: sha256.toLowerCase() };
}
