import { createHash, type Hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import type { Turns } from '#rules/turns.ts';
import { type FirmwareParts, FirmwareUpdater, type TargetComponent, UpdateFault } from '#sdk/device.ts';
import type { Collected, FileShelf } from './fileShelf.ts';
import type { Member } from './member.ts';

/** How much of a file a device downloads: all, its first KiB, or nothing. Its reports are the same. */
export const downloads = ['whole', 'first', 'none'] as const;
export type Download = (typeof downloads)[number];

/** How a device fails; undefined: not at all. */
export interface MemberUpdateOptions {
  failsWith: string | undefined;
  download: Download;
  /** Limits concurrent downloads. */
  turns: Turns;
  /** Downloaded files, to apply deltas to. */
  shelf: FileShelf;
  signal: AbortSignal;
  /** The initial firmware; undefined: none. */
  installed?: InstalledFrame | undefined;
}

const firstBytes = 1024;
const away = { leastMs: 300, mostMs: 1_500 };

/** The simulated firmware of one device of the fleet. */
export class MemberUpdate {
  latest: ProgressFrame | undefined;
  /** The outcome of each finished update by bundle: `updated`, or the code of the failure. */
  readonly ends = new Map<string, string>();
  hasTarget = false;
  bytes = 0;
  /** How often a delta was used. */
  deltas = 0;
  readonly #member: Member;
  readonly #options: MemberUpdateOptions;
  readonly #hashes = new Map<string, Hash>();
  readonly #collected = new Map<string, Collected>();
  readonly #updater: FirmwareUpdater;
  #runsNew = false;
  /** True: the bytes being written come from a delta. */
  #isPatching = false;
  #stored: string | undefined;

  constructor(member: Member, options: MemberUpdateOptions) {
    this.#member = member;
    this.#options = options;
    const updater = new FirmwareUpdater({
      device: member.device,
      installed: options.installed ?? { components: [] },
      store: {
        read: () => this.#stored,
        write: text => {
          this.#stored = text;
        },
      },
      parts: this.#parts(),
    });
    const bundleOf = new Map<number, string>();
    updater.onProgress(progress => {
      this.latest = progress;
      const { state, sequence, code } = progress;
      const bundle = bundleOf.get(sequence ?? 0);
      if (!bundle) return;
      if (state === 'declined') this.ends.set(bundle, state);
      if (state === 'done' || state === 'failed') this.ends.set(bundle, code ?? 'updated');
    });
    member.device.onTarget(target => {
      this.hasTarget = target !== null;
      if (target) bundleOf.set(target.sequence, target.bundleId);
    });
    options.signal.addEventListener('abort', () => updater.stop(), { once: true });
    void updater.start();
    this.#updater = updater;
  }

  get installed(): InstalledFrame {
    return this.#updater.installed;
  }

  #parts(): FirmwareParts {
    const { failsWith: code, download } = this.#options;
    const fail = () => {
      throw new UpdateFault(code ?? '', 'Failed on purpose by the fleet simulator.');
    };
    const failsAt = code === undefined ? undefined : (stepOf[code] ?? 'install');
    return {
      mayUpdate: () => {
        if (code === 'declined') return 'decline';
        if (failsAt === 'before') fail();
        return 'yes';
      },
      write: (component, bytes, offset) => this.#write(component, bytes, offset),
      patch: (component, delta) => this.#patch(component, delta),
      checksum: one => (failsAt === 'checksum' ? '0'.repeat(64) : this.#checksum(one)),
      install: () => {
        this.#runsNew = false;
        if (failsAt === 'install') fail();
      },
      reboot: () => this.#reboot(failsAt !== 'reboot').then(() => true),
      bootedNew: () => this.#runsNew,
      selfTest: () => {
        if (failsAt === 'selfTest') fail();
        return true;
      },
      confirm: () => undefined,
      revert: () => this.#reboot(false),
      ...(download !== 'whole' && { download: (one, signal) => this.#pretend(one, signal) }),
    };
  }

  #write({ component, sha256, size }: TargetComponent, bytes: Uint8Array, offset: number): void {
    if (offset === 0) {
      this.#hashes.set(component, createHash('sha256'));
      this.#collect(component, this.#options.shelf.begin(sha256, size));
    }
    this.#hashes.get(component)?.update(bytes);
    this.#collected.get(component)?.write(bytes, offset);
    if (!this.#isPatching) this.bytes += bytes.length;
  }

  #checksum({ component, sha256 }: TargetComponent): string {
    this.#isPatching = false;
    if (this.#options.download !== 'whole') return sha256;
    const is = this.#hashes.get(component)?.copy().digest('hex') ?? '';
    this.#collected.get(component)?.end(is === sha256);
    this.#collected.delete(component);
    return is;
  }

  /** Replaces an unfinished collection of the same component. */
  #collect(component: string, collected: Collected | undefined): void {
    this.#collected.get(component)?.end(false);
    if (collected) this.#collected.set(component, collected);
    else this.#collected.delete(component);
  }

  #patch({ size, delta }: TargetComponent, bytes: Uint8Array): Uint8Array[] {
    this.bytes += bytes.length;
    const old = this.#options.shelf.get(delta?.from ?? '');
    if (!old) throw new UpdateFault('hash_mismatch', 'The old file is not on the shelf.');
    const file = zstdDecompressSync(bytes, { dictionary: old, maxOutputLength: size });
    this.#isPatching = true;
    this.deltas += 1;
    return [file];
  }

  async #pretend({ url }: TargetComponent, signal: AbortSignal): Promise<void> {
    if (this.#options.download === 'none') return;
    const headers = { range: `bytes=0-${firstBytes - 1}` };
    const answer = await this.#options.turns.take(() => fetch(url, { headers, signal }));
    if (!answer.ok) throw new UpdateFault('network', `The server answered ${answer.status}.`);
    this.bytes += (await answer.arrayBuffer()).byteLength;
  }

  async #reboot(startsNew: boolean): Promise<void> {
    const { device } = this.#member;
    device.disconnect({ abruptly: true });
    await pause(away.leastMs + Math.random() * (away.mostMs - away.leastMs));
    this.#runsNew = startsNew;
    if (!this.#options.signal.aborted) device.connect();
  }
}

type Step = 'before' | 'checksum' | 'install' | 'reboot' | 'selfTest';

/** The step at which a device fails with each code; with any other code, it fails at the installation. */
const stepOf: Record<string, Step> = {
  no_space: 'before',
  low_battery: 'before',
  no_memory: 'before',
  busy: 'before',
  wrong_class: 'before',
  downgrade_refused: 'before',
  dependency: 'before',
  signature_invalid: 'before',
  manifest_invalid: 'before',
  hash_mismatch: 'checksum',
  rolled_back: 'reboot',
  boot_failed: 'selfTest',
  self_test_failed: 'selfTest',
};
