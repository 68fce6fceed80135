import { isDeepStrictEqual } from 'node:util';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import type { DeviceLogNotes, Noted } from '#server/devices/log/deviceLogNotes.ts';
import { Buckets } from '#server/infra/pace/tokenBucket.ts';

/** A faulty device could report a different value each time, so the log is throttled. */
const linesRate = { perS: 0.1, burst: 20 };
const componentsShown = 5;
const componentsKept = 20;

/** Writes to the device log when the installed firmware changes, and for each phase of an installation. */
export class FirmwareNotes {
  readonly #notes: DeviceLogNotes;
  readonly #rates = new Buckets();

  constructor(notes: DeviceLogNotes) {
    this.#notes = notes;
  }

  /** `before`: the previous report; undefined if there is none. */
  installed(device: Noted, said: InstalledFrame, before: InstalledFrame | undefined, ts: Date): void {
    if (isDeepStrictEqual(said, before)) return;
    const { bundleId, components } = said;
    const named = components.map(({ component, version }) => `${component} ${version}`);
    const more = named.length - componentsShown;
    const list = named.slice(0, componentsShown).concat(more > 0 ? `${more} more` : []);
    const bundle = bundleId === undefined ? '' : ` (bundle ${bundleId})`;
    this.#note(device, {
      action: 'installed',
      level: 2,
      ts,
      text: `Installed firmware: ${list.join(', ') || 'none named'}${bundle}`,
      detail: { ...said, components: components.slice(0, componentsKept) },
    });
  }

  /** Phases are logged when they begin; progress within a phase is not. */
  progress(device: Noted, said: ProgressFrame, before: ProgressFrame | undefined, ts: Date): void {
    const { state, component, error } = said;
    if (state === before?.state && component === before.component) return;
    const of = component === undefined ? '' : ` (${component})`;
    const why = error === undefined ? '' : `: ${error}`;
    this.#note(device, {
      action: 'progress',
      level: state === 'failed' ? 1 : 2,
      ts,
      text: `Firmware: ${state}${of}${why}`,
      detail: { ...said },
    });
  }

  #note(device: Noted, note: Parameters<DeviceLogNotes['note']>[1]): void {
    const nowMs = performance.now();
    const bucket = this.#rates.of(device.id, linesRate, nowMs);
    if (bucket.waitMs(nowMs) > 0) return;
    bucket.take(nowMs);
    this.#notes.note(device, note);
  }
}
