import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { recordInstalled } from '#server/devices/devices/recordInstalled.ts';
import type { DeviceLogNotes } from '#server/devices/log/deviceLogNotes.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import { stateOf } from '#server/devices/state/state.ts';
import { lockStates, reportsOf, saveReports } from '#server/devices/state/stateStore.ts';
import { requestDeltas } from '#server/firmware/deltas/requestDeltas.ts';
import type { Said as Report } from '#server/firmware/targets/advance.ts';
import { sequencesOf, takeReports } from '#server/firmware/targets/courses.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Platform } from '#server/infra/platform.ts';
import { FirmwareNotes } from './firmwareNotes.ts';

const itemsMax = 500;

type Device = Pick<ConnectedDevice, 'id' | 'projectId' | 'displayName'>;

interface Said {
  device: Device;
  frame: Frame;
  at: Date;
}

/** Stores the latest report of installed firmware and installation progress for each device. */
export class Reports {
  readonly #platform: Platform;
  readonly #liveEvents: LiveEvents;
  readonly #firmware: FirmwareNotes;
  readonly #installed: GroupCommit<Said, Refusal | undefined>;
  readonly #progress: GroupCommit<Said, Refusal | undefined>;

  constructor(platform: Platform, { liveEvents, notes }: { liveEvents: LiveEvents; notes: DeviceLogNotes }) {
    this.#platform = platform;
    this.#liveEvents = liveEvents;
    this.#firmware = new FirmwareNotes(notes);
    const batch = (what: 'installed' | 'progress') =>
      new GroupCommit({
        name: what,
        run: (all: Said[]) => this.#keepAll(what, all),
        itemsMax,
        patient: true,
      });
    this.#installed = batch('installed');
    this.#progress = batch('progress');
  }

  take(device: Device, what: 'installed' | 'progress', frame: Frame): Promise<Refusal | undefined> {
    const batch = what === 'installed' ? this.#installed : this.#progress;
    return batch.add({ device, frame, at: this.#platform.clock() });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#installed.stop(), this.#progress.stop()]);
  }

  async #keepAll(what: 'installed' | 'progress', all: Said[]): Promise<(Refusal | undefined)[]> {
    const last = new Map(all.map(said => [said.device.id, said]));
    const devices = [...last.values()].map(({ device }) => device);
    const { there, before, open } = await this.#platform.db.tx(async db => {
      const rows = await lockStates(db, devices);
      const said = await reportsOf(db, what, devices);
      const sequences = await sequencesOf(db, devices);
      const current = all.filter(one => rows.has(one.device.id) && !isPast(one, sequences));
      const kept = [...new Map(current.map(one => [one.device.id, one])).values()];
      const reports = kept.map(({ device, frame, at }) => ({
        projectId: device.projectId,
        deviceId: device.id,
        text: frame.text,
        at,
      }));
      await saveReports(db, what, reports);
      if (what === 'installed') await recordInstalled(db, kept.map(bundleOf));
      await takeReports(
        db,
        current.map(one => reportOf(what, one)),
        this.#platform.clock(),
      );
      const open =
        what === 'installed' ? await requestDeltas(db, kept.map(whoOf), this.#platform.clock()) : [];
      return { there: rows, before: said, open };
    });
    for (const { device } of last.values()) this.#publish(device);
    // Which delta fits is known only after this report.
    for (const id of open) notifyDevice(this.#platform, id, { kind: 'target' });
    this.#note(
      what,
      all.filter(({ device }) => there.has(device.id)),
      before,
    );
    return all.map(({ device }) =>
      there.has(device.id) ? undefined : refuse('NOT_KEPT', 'The device was deleted.'),
    );
  }

  /**
   * If a batch has several reports of a device, each is compared with the previous one, but only the last is
   * stored.
   */
  #note(what: 'installed' | 'progress', all: Said[], before: Map<string, unknown>): void {
    for (const { device, frame, at } of all) {
      const last = before.get(device.id);
      before.set(device.id, frame.value);
      if (what === 'installed')
        this.#firmware.installed(
          device,
          frame.value as InstalledFrame,
          last as InstalledFrame | undefined,
          at,
        );
      else
        this.#firmware.progress(device, frame.value as ProgressFrame, last as ProgressFrame | undefined, at);
    }
  }

  #publish(device: Device): void {
    this.#liveEvents.changed(device);
    if (!this.#liveEvents.isWatched(device)) return;
    const { db, log } = this.#platform;
    stateOf(db, device.projectId, device.id).then(
      state => this.#liveEvents.publish(device, 'state', state),
      error => log('warn', 'A change of device state could not be announced', { error: String(error) }),
    );
  }
}

function whoOf({ device }: Said) {
  return { projectId: device.projectId, deviceId: device.id };
}

function bundleOf({ device, frame }: Said): {
  projectId: string;
  deviceId: string;
  bundleId: string | undefined;
} {
  const { bundleId } = frame.value as InstalledFrame;
  return { projectId: device.projectId, deviceId: device.id, bundleId };
}

/** Whether the report is about an earlier target: then it is only logged. */
function isPast({ device, frame }: Said, sequences: ReadonlyMap<string, number>): boolean {
  const { sequence } = frame.value as InstalledFrame | ProgressFrame;
  return sequence !== undefined && sequence < (sequences.get(device.id) ?? 0);
}

function reportOf(what: 'installed' | 'progress', { device, frame, at }: Said) {
  const said = { what, frame: frame.value, at } as Report;
  return { projectId: device.projectId, deviceId: device.id, said };
}
