import { publishLive } from '#server/api/http/live.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { takenCodes, takenIds } from './importCheck.ts';
import { firmwareNames, insertImported, lockForDevices } from './importInsert.ts';
import type { ImportRecord } from './importJson.ts';
import { publishImport } from './importNews.ts';
import { batchesOf } from './importRead.ts';
import { checkDevice, type Expected, type ImportedDevice } from './importShape.ts';
import {
  endImport,
  failImport,
  findImport,
  type ImportKey,
  type ImportRow,
  recordCreated,
} from './importStore.ts';

const analyzedFrom = 5000;

/** A line that cannot be imported, with the reason as a sentence. */
class InTheWay extends Error {
  override name = 'InTheWay';
}

/**
 * Job that creates the devices of a validated file, a thousand at a time. Progress is stored in the same
 * transaction, so a job that is killed resumes with the next line and creates each device exactly once.
 */
export function applyImportJob(platform: Platform): Task<'applyImport'> {
  return async (key, { isLast, signal }) => {
    try {
      await apply(platform, key, signal);
    } catch (error) {
      const isInTheWay = error instanceof InTheWay;
      if (!isInTheWay && !isLast) throw error;
      if (!isInTheWay)
        platform.log('error', 'An import could not be applied', { ...key, error: String(error) });
      await fail(platform.db, key, isInTheWay ? error.message : 'The import failed repeatedly.');
    }
    publishImport(platform, key);
  };
}

async function fail(db: Db, key: ImportKey, why: string): Promise<void> {
  const made = ((await findImport(db, key))?.created ?? 0).toLocaleString('en');
  const text = `${why} ${made} devices were created. Fix the cause and apply again to continue with the rest.`;
  await failImport(db, key, text, { keepsFile: true });
}

async function apply(platform: Platform, key: ImportKey, signal: AbortSignal | undefined): Promise<void> {
  const row = await findImport(platform.db, key);
  if (row?.state !== 'applying') return;
  let read = 0;
  for await (const records of batchesOf(platform.storage, row)) {
    const first = read;
    read += records.length;
    if (read <= row.created) continue;
    if (signal?.aborted) return enqueue(platform.db, 'applyImport', key);
    const isMine = await makeSome(platform, row, { key, records, first });
    if (!isMine) return;
    publishImport(platform, key);
    publishLive(platform, key.projectId, { kind: 'devices', deviceIds: null });
  }
  await endImport(platform.db, key);
  // Until autovacuum updates the statistics, the planner would assume the few devices there were before.
  if (read >= analyzedFrom) await platform.db.run(sql`analyze devices, device_presence, device_kv`);
}

/**
 * Creates devices from records, the first of which is number `first` in the file. Returns false if another job
 * is creating them.
 */
function makeSome(
  platform: Platform,
  row: ImportRow,
  { key, records, first }: { key: ImportKey; records: ImportRecord[]; first: number },
): Promise<boolean> {
  return platform.db.tx(async db => {
    const present = await findImport(db, key, { lock: true });
    if (present?.state !== 'applying' || present.created !== first) return false;
    const project = await lockForDevices(db, row);
    if (!project) throw new InTheWay('The device class no longer exists.');
    const now = platform.clock();
    const expected = { ...row, ...project, ...(await firmwareNames(db, row)), now };
    const read = records.map((record, i) => readAgain(record, first + i + 1, expected));
    const given =
      row.ids === 'keep' ? read : read.map(({ at, device: { id: _, ...device } }) => ({ at, device }));
    await refuseTaken(db, key.projectId, given);
    await insertImported(
      db,
      platform,
      { ...row, ...project, now },
      given.map(({ device }) => device),
    );
    await recordCreated(db, key, first + records.length);
    return true;
  });
}

interface Given {
  /** The position in the file. */
  at: string;
  device: ImportedDevice;
}

/**
 * The file was valid when it was checked, but since then the project may have stopped storing keys, or a channel may
 * have been deleted.
 */
function readAgain(record: ImportRecord, number: number, expected: Expected): Given {
  const at = `Device ${number}, line ${record.line}`;
  if ('fault' in record) throw new InTheWay(`${at}: ${record.fault}`);
  const { device, faults } = checkDevice(record.value, expected);
  if (!device) throw new InTheWay(`${at}: ${faults[0]?.text ?? ''}`);
  return { at, device };
}

/** Refuses values that were taken after validation. */
async function refuseTaken(db: Db, projectId: string, given: Given[]): Promise<void> {
  const ids = await takenIds(
    db,
    given.flatMap(({ device }) => device.id ?? []),
  );
  const codes = await takenCodes(
    db,
    projectId,
    given.flatMap(({ device }) => device.claimCode ?? []),
  );
  for (const { at, device } of given) {
    if (device.id !== undefined && ids.has(device.id))
      throw new InTheWay(`${at}: another device now has this id.`);
    if (device.claimCode !== undefined && codes.has(device.claimCode))
      throw new InTheWay(`${at}: another device now has this claim code.`);
  }
}
