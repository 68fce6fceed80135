import { type ImportFault, importDevicesMax, importFaultsMax } from '#contract/deviceBulk.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { firmwareNames } from './importInsert.ts';
import type { ImportRecord } from './importJson.ts';
import { publishImport } from './importNews.ts';
import { batchesOf, UnreadableFile } from './importRead.ts';
import { checkDevice, type Expected, type FaultIn, type ImportedDevice } from './importShape.ts';
import { endCheck, failImport, findImport, type ImportKey, recordProgress } from './importStore.ts';

/**
 * Job that validates a whole file and writes only the errors. A job that is killed starts again from the
 * beginning.
 */
export function checkImportJob(platform: Platform): Task<'checkImport'> {
  return async (key, { isLast }) => {
    try {
      await check(platform, key);
    } catch (error) {
      const isUnreadable = error instanceof UnreadableFile;
      if (!isUnreadable && !isLast) throw error;
      if (!isUnreadable)
        platform.log('error', 'An import could not be checked', { ...key, error: String(error) });
      await failImport(
        platform.db,
        key,
        isUnreadable ? error.message : 'The file could not be read. Upload it again.',
      );
    }
    publishImport(platform, key);
  };
}

async function check(platform: Platform, key: ImportKey): Promise<void> {
  const { db } = platform;
  const row = await findImport(db, key);
  if (row?.state !== 'checking') return;
  const expected = {
    ...row,
    ...(await firmwareNames(db, row)),
    forgetsKeys: await forgetsKeys(db, key.projectId),
    now: platform.clock(),
  };
  const checking = new Checking(key, expected);
  for await (const records of batchesOf(platform.storage, row)) {
    await checking.take(db, records);
    await recordProgress(db, key, checking);
    publishImport(platform, key);
  }
  if (checking.lines === 0) throw new UnreadableFile('There are no devices in the file.');
  await endCheck(db, key, checking);
}

/** Read without a lock; it is checked again when the devices are created. */
async function forgetsKeys(db: Db, projectId: string): Promise<boolean> {
  const row = await db.one(
    sql`select 1 as found from projects where id = ${projectId} and forget_device_keys`,
  );
  return row !== undefined;
}

type Unique = 'id' | 'claimCode';
/** Tags should be unique, so that people can tell devices apart, but need not be. */
type Seen = Unique | 'tag';

/** The position of a device in the file. */
interface Spot {
  line: number;
  device?: number;
}

class Checking {
  lines = 0;
  good = 0;
  bad = 0;
  readonly faults: ImportFault[] = [];
  readonly #key: ImportKey;
  readonly #expected: Expected;
  /** Maps unique values to their position. */
  readonly #seen: Record<Seen, Map<string, Spot>> = { id: new Map(), claimCode: new Map(), tag: new Map() };
  /** Unknown fields that are already listed. */
  readonly #unknownFields = new Set<string | undefined>();
  #devices = 0;

  constructor(key: ImportKey, expected: Expected) {
    this.#key = key;
    this.#expected = expected;
  }

  async take(db: Db, records: ImportRecord[]): Promise<void> {
    const read = records.map(record => this.#read(record));
    const ids = this.#expected.ids === 'keep' ? read.flatMap(({ device }) => device?.id ?? []) : [];
    const codes = read.flatMap(({ device }) => device?.claimCode ?? []);
    const tags = read.flatMap(({ device }) => device?.tag || []);
    const taken = {
      id: await takenIds(db, ids),
      claimCode: await takenCodes(db, this.#key.projectId, codes),
      tag: await takenTags(db, { ...this.#key, ...this.#expected }, tags),
    };
    for (const { spot, device, faults } of read) {
      const all = [...(faults ?? []), ...(device ? this.#clashes(device, spot, taken) : [])];
      const errors = all.filter(({ warning }) => !warning);
      if (errors.length === 0) this.good += 1;
      else this.bad += 1;
      for (const fault of errors.length > 0 ? errors : all) this.#list(spot, fault);
    }
  }

  #list(spot: Spot, { ofFields, ...fault }: FaultIn): void {
    if (ofFields && this.#unknownFields.has(fault.field)) return;
    if (ofFields) this.#unknownFields.add(fault.field);
    if (this.faults.length < importFaultsMax) this.faults.push({ ...spot, ...fault });
  }

  #read(record: ImportRecord): ReturnType<typeof checkDevice> & { spot: Spot } {
    this.lines += 1;
    if (this.lines > importDevicesMax)
      throw new UnreadableFile(`A file can have at most ${importDevicesMax.toLocaleString('en')} devices.`);
    const { line } = record;
    if ('fault' in record) {
      const spot = record.ofFile ? { line } : { line, device: ++this.#devices };
      return { spot, faults: [{ text: record.fault }] };
    }
    return { spot: { line, device: ++this.#devices }, ...checkDevice(record.value, this.#expected) };
  }

  *#clashes(device: ImportedDevice, spot: Spot, taken: Record<Seen, Set<string>>): Generator<FaultIn> {
    const { id, tag, name, claimCode } = device;
    if (!(id || tag || name || claimCode))
      yield { text: 'This device is hard to identify: it has no tag and no name.', warning: true };
    const fields: Seen[] = this.#expected.ids === 'keep' ? ['id', 'claimCode', 'tag'] : ['claimCode', 'tag'];
    for (const field of fields) {
      const value = device[field];
      if (!value) continue;
      const more = field === 'tag' ? { warning: true as const } : {};
      const before = this.#seen[field].get(value);
      if (before)
        yield { field, text: `Device ${before.device} on line ${before.line} has the same value.`, ...more };
      else this.#seen[field].set(value, spot);
      if (taken[field].has(value)) yield { field, text: 'Another device already has this value.', ...more };
    }
  }
}

/** A device id is unique across all projects. */
export async function takenIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.many<{ id: string }>(sql`select id from devices where id = any(${ids})`);
  return new Set(rows.map(({ id }) => id));
}

export async function takenCodes(db: Db, projectId: string, codes: string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = await db.many<{ code: string }>(sql`
    select claim_code as code from devices where project_id = ${projectId} and claim_code = any(${codes})`);
  return new Set(rows.map(({ code }) => code));
}

/** Looked up by the column that devices of a class are sorted by, which has an index. */
async function takenTags(
  db: Db,
  { projectId, deviceClass }: { projectId: string; deviceClass: string },
  tags: string[],
): Promise<Set<string>> {
  if (tags.length === 0) return new Set();
  const rows = await db.many<{ tag: string }>(sql`
    select distinct d.tag from unnest(${tags}::text[]) as said (tag)
    join devices d on d.project_id = ${projectId} and d.device_class = ${deviceClass}
      and d.tag_order = name_order(said.tag) and d.tag = said.tag`);
  return new Set(rows.map(({ tag }) => tag));
}
