import { stateBytesMax } from '#contract/deviceState.ts';
import { isObject, mergePatch } from '#rules/json/mergePatch.ts';
import { isSameJson, stateDelta } from '#rules/state/stateDelta.ts';
import { type Change, checkChange } from '#server/classes/deviceClasses/checkChange.ts';
import {
  CheckedMessages,
  type Checking,
  type DeviceMessage,
  type Outcome,
  type SchemaCheck,
} from '#server/classes/deviceClasses/checkedMessages.ts';
import type { Quarantined } from '#server/classes/deviceClasses/quarantine/storeQuarantine.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import { type DesiredChangeRow, toDesiredChange } from '#server/devices/desiredChanges/store.ts';
import { endReported, type Reported } from '#server/devices/desiredChanges/storeChange.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { historyOf, type MergedReport } from '#server/devices/stateHistory/historyOf.ts';
import { reportPartitions } from '#server/devices/stateHistory/historyTables.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { notYet } from '#server/infra/db/groupCommit.ts';
import { withPartitions } from '#server/infra/db/maintainPartitions.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { SureCommit } from '#server/infra/db/sureCommit.ts';
import type { Platform } from '#server/infra/platform.ts';
import { causesOfReport } from './causesOfReport.ts';
import { changesOf } from './reportedChanges.ts';
import { stateOf } from './state.ts';
import { lockStates, type ReportedState, type StateRow, saveReported } from './stateStore.ts';

const itemsMax = 500;

/** The state of a device while a batch is applied to it. */
interface Changing {
  device: DeviceMessage['device'];
  row: StateRow;
  before: StateRow['reported'];
  text: string;
  at: Date;
}

/** Merges reported state for many devices in one transaction. */
export class States {
  readonly #platform: Platform;
  readonly #liveEvents: LiveEvents;
  readonly #messages: CheckedMessages<DeviceMessage>;
  /** The history would contain a report twice that is stored again. */
  readonly #commits: SureCommit<Kept>;

  constructor(platform: Platform, checking: Checking & { liveEvents: LiveEvents }) {
    this.#platform = platform;
    this.#liveEvents = checking.liveEvents;
    this.#commits = new SureCommit(platform.db);
    this.#messages = new CheckedMessages(platform, checking, {
      // While the database stores one batch, the next is read, merged and checked.
      kind: 'state',
      itemsMax,
      batchesMax: 2,
      schemaOf: ({ state }) => state ?? undefined,
      store: (reports, begin, batch) => this.#mergeAll(reports, begin, batch),
    });
  }

  take(device: DeviceMessage['device'], frame: Frame): Promise<Refusal | undefined> {
    const ts = this.#platform.clock();
    return this.#messages.take({ id: this.#platform.newId('qrt', ts), device, frame, ts });
  }

  stop(): Promise<void> {
    return this.#messages.stop();
  }

  async #mergeAll(reports: DeviceMessage[], begin: () => SchemaCheck<DeviceMessage>, batch: object) {
    const merge = () =>
      this.#commits.tx(batch, async tx => {
        const check = begin();
        const { transaction, ...merged } = await mergeReports(tx, reports, check);
        await check.storeBroken(tx);
        return { result: { ...merged, broken: check.broken }, transaction };
      });
    const { changed, due, ended, ...kept } = await withPartitions(this.#platform, reportPartitions, merge);
    for (const { device } of due) notifyDevice(this.#platform, device.id, { kind: 'delta' });
    for (const { device } of changed) this.#publish(device);
    for (const row of ended) {
      const device = { projectId: row.projectId, id: row.deviceId };
      this.#liveEvents.publish(device, 'desiredChange', toDesiredChange(row));
    }
    return kept;
  }

  #publish(device: DeviceMessage['device']): void {
    if (!this.#liveEvents.isWatched(device)) return;
    const { db, log } = this.#platform;
    stateOf(db, device.projectId, device.id).then(
      state => this.#liveEvents.publish(device, 'state', state),
      error => log('warn', 'A change of device state could not be announced', { error: String(error) }),
    );
  }
}

interface Kept extends Omit<Merged, 'transaction'> {
  broken: Quarantined[];
}

interface Merged {
  /** Undefined if there is no state to change. */
  transaction: string | undefined;
  outcomes: Outcome[];
  changed: Changing[];
  /** Devices whose delta changed. */
  due: Changing[];
  ended: DesiredChangeRow[];
}

/** Merges reports in order of arrival. */
async function mergeReports(
  db: Db,
  reports: DeviceMessage[],
  check: SchemaCheck<DeviceMessage>,
): Promise<Merged> {
  const devices = new Map(reports.map(({ device }) => [device.id, device]));
  const rows = await lockStates(db, [...devices.values()]);
  const changing = new Map<string, Changing>();
  const merged: MergedReport[] = [];
  const outcomes = reports.map((report): Outcome => {
    const row = rows.get(report.device.id);
    if (!row) return refuse('NOT_KEPT', 'The device was deleted.');
    const schema = check.schemaOf(report);
    // Checked before anything else, because an earlier report of the device may be waiting as well.
    if (schema !== undefined && check.isOver(report)) return notYet;
    return mergeOne(report, row, {
      changing,
      merged,
      refusalOf: change =>
        schema === undefined ? undefined : check.refusalOf(report, () => checkChange(schema, change)),
    });
  });
  const changed = [...changing.values()];
  const due = changed.filter(isDue);
  const { open, ended } = await endReported(db, changed.filter(hasDone).map(doneBy));
  const setByModules = Map.groupBy(
    open.filter(({ causedBy }) => causedBy.length > 0),
    ({ deviceId }) => deviceId,
  );
  if (changed.length > 0) {
    const last = new Map(merged.map(report => [report.deviceId, report]));
    const stateLeft = (report: MergedReport) =>
      last.get(report.deviceId) === report ? stateOfLast(changing.get(report.deviceId)) : undefined;
    await saveReported(
      db,
      merged.map(report => ({
        ...historyOf(report),
        causedBy: causesOfReport(report, setByModules.get(report.deviceId)),
        state: stateLeft(report),
      })),
    );
  }
  const [row] = rows.values();
  return { transaction: row?.transaction, outcomes, changed, due, ended };
}

function stateOfLast(changed: Changing | undefined): ReportedState | undefined {
  if (!changed) return undefined;
  const { row, before, text, at } = changed;
  return { text, changes: changesOf(before, row.reported, at) };
}

/** Whether the delta of a device changed. */
function isDue({ row, before }: Changing): boolean {
  return !isSameJson(stateDelta(row.reported, row.desired), stateDelta(before, row.desired));
}

/** Whether a report changed something that was still to be done, even if there is as much to do as before. */
function hasDone({ row, before }: Changing): boolean {
  const left = Object.keys(stateDelta(before, row.desired));
  return left.some(name => !isSameJson(before[name], row.reported[name]));
}

const doneBy = ({ device, row, at }: Changing): Reported => ({
  device,
  at,
  reported: row.reported,
  desired: row.desired,
});

interface Merging {
  changing: Map<string, Changing>;
  /** For the state history. */
  merged: MergedReport[];
  /** The refusal of a report that violates the schema of its class. */
  refusalOf: (change: Change) => Refusal | undefined;
}

/** Validates the merged state, because a partial report shows neither its final size nor missing members. */
function mergeOne(
  { device, frame, ts: at }: DeviceMessage,
  row: StateRow,
  { changing, merged, refusalOf }: Merging,
): Refusal | undefined {
  const reported = mergePatch(row.reported, frame.value);
  if (!isObject(reported) || !isObject(frame.value)) return refuse('INVALID_FIELDS');
  const text = JSON.stringify(reported);
  if (Buffer.byteLength(text) > stateBytesMax) return refuse('TOO_LARGE');
  const refusal = refusalOf({ before: row.reported, patch: frame.value, after: reported });
  if (refusal) return refusal;
  const before = changing.get(device.id)?.before ?? row.reported;
  const { projectId, reported: then } = row;
  merged.push({ projectId, deviceId: device.id, at, before: then, said: frame.value, after: reported });
  row.reported = reported;
  changing.set(device.id, { device, row, before, text, at });
  return undefined;
}
