import { Readable } from 'node:stream';
import type { exportChosenDevices, exportDevices } from '#contract/deviceBulk.ts';
import type { RawAnswer } from '#server/api/endpoints/answer.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { mustHaveClass } from '#server/classes/deviceClasses/mustHaveClass.ts';
import { type DeviceFilter, matching } from '#server/devices/devices/list/filters.ts';
import { csvFile } from '#server/infra/csv.ts';
import { type Database, join, sql } from '#server/infra/db/sql.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { type ExportedDevice, type ExportField, exportFields } from './exportFields.ts';

const rowsAtOnce = 1000;
/** Limits the key-value pairs read per page: a page of devices with the maximum each would be a gigabyte. */
const bytesAtOnce = 4 * 1024 * 1024;

type Exporting = Call<typeof exportDevices> | Call<typeof exportChosenDevices>;

export function exportMatching(call: Call<typeof exportDevices>): Promise<RawAnswer> {
  const { format, ...filter } = call.query;
  return fileOf(call, format, filter);
}

export function exportChosen(call: Call<typeof exportChosenDevices>): Promise<RawAnswer> {
  const { format, ids, deviceClass } = call.body;
  return fileOf(call, format, { deviceClass }, ids);
}

type Meant = Omit<DeviceFilter, 'projectId'> & { deviceClass: string };

/** Streams devices as a file with backpressure; only one page is in memory. */
async function fileOf(
  call: Exporting,
  format: 'json' | 'csv',
  filter: Meant,
  ids?: string[],
): Promise<RawAnswer> {
  const { db, platform, params, me } = call;
  const { deviceClass } = filter;
  await mustHaveClass(db, params.projectId, deviceClass);
  call.about = { orgId: me.orgId, fields: { deviceClass } };
  const pages = pagesOf(platform.db, platform.sealing, { ...filter, projectId: params.projectId }, ids);
  const forgets = await forgetsKeys(call);
  const fields = exportFields.filter(field => field !== 'apiKey' || !forgets);
  const text = format === 'json' ? asJson(pages) : csvFile(pages, fields, cellText);
  return {
    contentType:
      format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8; header=present',
    filename: `${deviceClass}.${format}`,
    body: Readable.from(text, { objectMode: false }),
  };
}

async function forgetsKeys({ db, params }: Exporting): Promise<boolean> {
  const row = await db.one(
    sql`select 1 as found from projects where id = ${params.projectId} and forget_device_keys`,
  );
  return row !== undefined;
}

interface Row {
  id: string;
  tag: string;
  name: string;
  description: string;
  deviceClass: string;
  channel: string;
  bundleInstalled: string | null;
  claimCode: string | null;
  suspended: boolean;
  keySealed: Buffer | null;
  kvBytes: string;
}

async function* pagesOf(
  db: Database,
  sealing: Sealing,
  filter: DeviceFilter,
  ids: string[] | undefined,
): AsyncGenerator<ExportedDevice[]> {
  const conditions = [matching(filter), ...(ids ? [sql`d.id = any(${ids})`] : [])];
  for (let after = ''; ; ) {
    const rows = await db.search<Row>(sql`
      select d.id, d.tag, d.name, d.description, d.device_class as "deviceClass", d.channel,
        d.bundle_installed as "bundleInstalled", d.claim_code as "claimCode", d.suspended,
        d.key_sealed as "keySealed", (
          select coalesce(sum(octet_length(k.value::text)), 0) from device_kv k
          where k.project_id = d.project_id and k.device_id = d.id) as "kvBytes"
      from devices d join device_presence s on s.project_id = d.project_id and s.device_id = d.id
      where ${join(conditions, ' and ')} and d.id > ${after} order by d.id limit ${rowsAtOnce}`);
    for (const part of partsOf(rows)) yield withPairs(db, sealing, filter.projectId, part);
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.id ?? '';
  }
}

/** As many rows as fit into the size limit for pairs. */
function* partsOf(rows: Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length > 0 && bytes + Number(row.kvBytes) > bytesAtOnce) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += Number(row.kvBytes);
  }
  if (part.length > 0) yield part;
}

async function withPairs(
  db: Database,
  sealing: Sealing,
  projectId: string,
  rows: Row[],
): Promise<ExportedDevice[]> {
  const ids = rows.filter(({ kvBytes }) => kvBytes !== '0').map(({ id }) => id);
  const pairs =
    ids.length === 0
      ? []
      : await db.many<{ deviceId: string; key: string; value: unknown }>(sql`
          select device_id as "deviceId", key, value from device_kv
          where project_id = ${projectId} and device_id = any(${ids}) order by device_id, key`);
  const byDevice = Map.groupBy(pairs, ({ deviceId }) => deviceId);
  return rows.map(({ bundleInstalled, claimCode, keySealed, kvBytes: _, ...row }) => {
    const own = byDevice.get(row.id);
    return {
      id: row.id,
      tag: row.tag,
      name: row.name,
      description: row.description,
      deviceClass: row.deviceClass,
      channel: row.channel,
      ...(bundleInstalled !== null && { bundleInstalled }),
      ...(claimCode !== null && { claimCode }),
      suspended: row.suspended,
      ...(keySealed && { apiKey: sealing.open(keySealed) }),
      ...(own && { kv: Object.fromEntries(own.map(({ key, value }) => [key, value])) }),
    };
  });
}

/** A JSON list with one device per line. */
async function* asJson(pages: AsyncIterable<ExportedDevice[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const devices of pages) {
    yield before + devices.map(device => JSON.stringify(device)).join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

function cellText(value: ExportedDevice[ExportField]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
