import type { SchemaFault } from '#contract/deviceClass.ts';
import { stateBytesMax } from '#contract/deviceState.ts';
import { isObject, mergePatch } from '#rules/mergePatch.ts';
import { stateDelta } from '#rules/stateDelta.ts';
import { tellDevice } from '#server/bus/deviceNotices.ts';
import type { Db } from '#server/db/sql.ts';
import { CheckTime } from '#server/deviceClasses/checkTime.ts';
import type { ClassSchemas, OfClass, SchemaCache } from '#server/deviceClasses/classSchemas.ts';
import type { Quarantine, Quarantined } from '#server/deviceClasses/keepQuarantine.ts';
import { type Frame, type Refusal, refuse } from '#server/deviceFrames/frames.ts';
import { stateOf } from '#server/deviceState/state.ts';
import type { LiveEvents } from '#server/devices/liveEvents.ts';
import { GroupCommit, notYet } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';
import type { ConnectedDevice } from '#server/presence/connectedDevices.ts';
import { lockStates, type StateRow, saveReported } from './stateStore.ts';

const itemsMax = 500;

type Device = Pick<ConnectedDevice, 'id' | 'projectId' | 'deviceClass'>;

interface Report {
  id: string;
  device: Device;
  frame: Frame;
  at: Date;
}

/** What a device's state has become within a batch. */
interface Changing {
  device: Device;
  row: StateRow;
  before: StateRow['reported'];
  text: string;
  at: Date;
}

interface Parts {
  schemas: SchemaCache;
  liveEvents: LiveEvents;
  quarantine: Quarantine;
}

/** Merges what devices report into their states, of many devices in one transaction. */
export class States {
  readonly #platform: Platform;
  readonly #schemas: SchemaCache;
  readonly #liveEvents: LiveEvents;
  readonly #quarantine: Quarantine;
  readonly #batch: GroupCommit<Report, Refusal | undefined>;

  constructor(platform: Platform, { schemas, liveEvents, quarantine }: Parts) {
    this.#platform = platform;
    this.#schemas = schemas;
    this.#liveEvents = liveEvents;
    this.#quarantine = quarantine;
    this.#batch = new GroupCommit({ run: reports => this.#mergeAll(reports), itemsMax, patient: true });
  }

  take(device: Device, frame: Frame): Promise<Refusal | undefined> {
    const at = this.#platform.clock();
    return this.#batch.add({ id: this.#platform.newId('qrt', at), device, frame, at });
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }

  async #mergeAll(reports: Report[]): Promise<Merged['refusals']> {
    const { db } = this.#platform;
    const schemasOf = await this.#schemas.of(
      db,
      reports.map(({ device }) => device),
    );
    const { refusals, changed, broken } = await db.tx(async tx => {
      const merged = await mergeReports(tx, reports, schemasOf);
      await this.#quarantine.keep(tx, merged.broken);
      return merged;
    });
    for (const change of changed) this.#tell(change);
    for (const message of broken) this.#liveEvents.quarantined(message);
    return refusals;
  }

  #tell({ device, row, before }: Changing): void {
    const left = JSON.stringify(stateDelta(row.reported, row.desired));
    if (left !== JSON.stringify(stateDelta(before, row.desired))) {
      tellDevice(this.#platform, device.id, { kind: 'delta' });
    }
    if (!this.#liveEvents.isWatched(device)) return;
    const { db, log } = this.#platform;
    stateOf(db, device.projectId, device.id).then(
      state => this.#liveEvents.tell(device, 'state', state),
      error => log('warn', 'The state of a device could not be told', { error: String(error) }),
    );
  }
}

interface Merged {
  refusals: (Refusal | typeof notYet | undefined)[];
  changed: Changing[];
  broken: Quarantined[];
}

/** In the order in which the reports came. */
async function mergeReports(
  db: Db,
  reports: Report[],
  schemasOf: (device: OfClass) => ClassSchemas,
): Promise<Merged> {
  const devices = new Map(reports.map(({ device }) => [device.id, device]));
  const rows = await lockStates(db, [...devices.values()]);
  const changing = new Map<string, Changing>();
  const broken: Quarantined[] = [];
  const time = new CheckTime();
  const refusals = reports.map(report => {
    const row = rows.get(report.device.id);
    if (!row) return refuse('NOT_KEPT', 'The device was deleted.');
    const { state: schema } = schemasOf(report.device);
    if (schema !== null && time.isOver(report.device.projectId)) return notYet;
    const refusal = mergeOne(report, row, {
      changing,
      faultsOf: reported => (schema === null ? [] : time.check(report.device.projectId, schema, reported)),
    });
    if (refusal?.faults) broken.push(quarantined(report, refusal.faults));
    return refusal;
  });
  const changed = [...changing.values()];
  if (changed.length > 0)
    await saveReported(
      db,
      changed.map(({ row, text, at }) => ({ ...row, text, at })),
    );
  return { refusals, changed, broken };
}

interface Merging {
  changing: Map<string, Changing>;
  /** What of a state breaks the schema of its class. */
  faultsOf: (state: StateRow['reported']) => SchemaFault[];
}

/** What the state would be has to fit: the report alone can tell neither its size nor what is missing. */
function mergeOne(
  { device, frame, at }: Report,
  row: StateRow,
  { changing, faultsOf }: Merging,
): Refusal | undefined {
  const reported = mergePatch(row.reported, frame.value);
  if (!isObject(reported)) return refuse('INVALID_FIELDS');
  const text = JSON.stringify(reported);
  if (Buffer.byteLength(text) > stateBytesMax) return refuse('TOO_LARGE');
  const faults = faultsOf(reported);
  if (faults.length > 0) return { ...refuse('SCHEMA_BROKEN'), faults };
  const before = changing.get(device.id)?.before ?? row.reported;
  row.reported = reported;
  changing.set(device.id, { device, row, before, text, at });
  return undefined;
}

function quarantined({ id, device, frame, at }: Report, faults: Quarantined['faults']): Quarantined {
  const { projectId, deviceClass, id: deviceId } = device;
  return {
    id,
    projectId,
    deviceClass,
    deviceId,
    kind: 'state',
    name: undefined,
    text: frame.text,
    faults,
    ts: at,
  };
}
