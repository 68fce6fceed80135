import { z } from 'zod';
import { channelShape, claimCodeShape, deviceIdShape, tagShape } from '#contract/device.ts';
import type { ImportFault } from '#contract/deviceBulk.ts';
import { kvBytesMax, kvPairsMax } from '#contract/deviceClass.ts';
import { line, text } from '#contract/shapes.ts';
import { deviceClassKeyMax, deviceClassKeyPattern } from '#rules/devices/deviceClassKey.ts';
import { deviceKeyLength } from '#rules/devices/deviceKey.ts';
import { kvAllBytesMax } from '#rules/devices/gatewayLimits.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import { channelKept } from '#server/devices/devices/device.ts';
import { isOfFuture } from '#server/infra/ids.ts';
import { type ExportedDevice, type ExportField, exportFields } from './exportFields.ts';
import type { ImportRow } from './importStore.ts';

/** A device as a file can describe it; missing fields get the defaults of a new device. */
export type ImportedDevice = Partial<ExportedDevice>;

/** The import options. */
export interface Expected extends Pick<ImportRow, 'deviceClass' | 'ids' | 'format'> {
  forgetsKeys: boolean;
  /** The channels and bundles of the class; a device can name no others. */
  channels: ReadonlySet<string>;
  bundles: ReadonlySet<string>;
  now: Date;
}

function hasNoProto(value: unknown): boolean {
  return typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__');
}
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const kvValue = z.unknown().refine(value => value !== null && bytesOf(value) <= kvBytesMax);

const shapes: { [F in ExportField]: z.ZodType<ImportedDevice[F]> } = {
  id: deviceIdShape,
  tag: tagShape,
  name: line(200, 0),
  description: text(2000),
  deviceClass: z.string(),
  channel: channelShape,
  bundleInstalled: z.string().max(64),
  claimCode: claimCodeShape,
  suspended: z.boolean(),
  apiKey: z.string().regex(new RegExp(`^[A-Za-z0-9]{${deviceKeyLength}}$`)),
  // A record of the schema library would drop a member named `__proto__` in silence.
  kv: z
    .custom(hasNoProto)
    .pipe(z.record(z.string().max(deviceClassKeyMax).regex(deviceClassKeyPattern), kvValue))
    .refine(pairs => {
      const values = Object.values(pairs);
      return (
        values.length <= kvPairsMax &&
        values.reduce((sum: number, one) => sum + bytesOf(one), 0) <= kvAllBytesMax
      );
    }),
};

const sentences: Record<ExportField, string> = {
  id: 'This is not a device id: dev_ followed by 26 letters and digits.',
  tag: 'A tag must be one line of at most 100 characters, and cannot consist of blanks only.',
  name: 'A name must be one line of at most 200 characters.',
  description: 'A description can have at most 2,000 characters.',
  deviceClass: 'The device belongs to a different class than the import. Correct or remove this field.',
  channel: 'A channel name consists of letters and digits, with - and _ in between.',
  bundleInstalled: 'A bundle id can have at most 64 characters.',
  claimCode: 'A claim code must have 6 to 32 letters and digits.',
  suspended: 'This must be true or false.',
  apiKey: 'An API key must have 32 letters and digits.',
  kv: 'This must be an object of at most 1,000 keys. No value can be null or larger than 64 KiB, and all together 1 MiB at most.',
};

type Checked = { device: ImportedDevice; faults?: undefined } | { device?: undefined; faults: FaultIn[] };

/** An error of a device, without its position in the file. */
export type FaultIn = Pick<ImportFault, 'field' | 'text' | 'warning'> & {
  /** The same for every device: listed once. */
  ofFields?: true;
};

/** Validates an object of the file; returns the device or all its errors. */
export function checkDevice(value: unknown, expected: Expected): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { faults: [{ text: 'This is not a device.' }] };
  const given = expected.format === 'csv' ? fromCells(value as Record<string, string>) : value;
  const device: Record<string, unknown> = {};
  const faults: FaultIn[] = [];
  for (const [field, said] of Object.entries(given)) {
    if (!isField(field)) {
      faults.push({
        field: field.slice(0, 100),
        text: `This field does not exist, in this device or any other. The fields are ${exportFields.join(', ')}.`,
        ofFields: true,
      });
      continue;
    }
    const parsed = shapes[field].safeParse(said);
    if (parsed.success && !hasNul(said)) device[field] = parsed.data;
    else faults.push({ field, text: sentences[field] });
  }
  faults.push(...missing(device, given as Record<string, unknown>, expected));
  return faults.length > 0 ? { faults } : { device: device as ImportedDevice };
}

function* missing(
  device: Record<string, unknown>,
  given: Record<string, unknown>,
  { deviceClass, ids, forgetsKeys, channels, bundles, now }: Expected,
): Generator<FaultIn> {
  if (device.deviceClass !== undefined && device.deviceClass !== deviceClass)
    yield { field: 'deviceClass', text: sentences.deviceClass };
  const channel = channelKept(typeof device.channel === 'string' ? device.channel : '');
  if (channel !== '' && !channels.has(channel))
    yield { field: 'channel', text: `Class ${deviceClass} has no channel ${channel}. Create it first.` };
  if (typeof device.bundleInstalled === 'string' && !bundles.has(device.bundleInstalled))
    yield {
      field: 'bundleInstalled',
      text: `Class ${deviceClass} has no bundle with this id. Remove this field: devices report what they run.`,
    };
  if (ids === 'keep' && given.id === undefined)
    yield { field: 'id', text: 'This device has no id, but the import is set to keep ids.' };
  if (ids === 'keep' && typeof device.id === 'string' && isOfFuture('dev', device.id, now))
    yield {
      field: 'id',
      text: 'An id contains its creation time, and the time in this one is in the future. Let the import assign a new id.',
    };
  if (forgetsKeys && given.apiKey === undefined)
    yield {
      field: 'apiKey',
      text: 'This project does not store keys, so nobody could learn a generated one. Include a key.',
    };
}

function isField(name: string): name is ExportField {
  return (exportFields as readonly string[]).includes(name);
}

/** PostgreSQL cannot store NUL. JSON with one was rejected by the parser. */
function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

/**
 * Cells are strings; two columns are converted. A cell that cannot be converted stays a string and is rejected
 * by the schema.
 */
function fromCells(cells: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(cells).map(([field, text]) => [
      field,
      field === 'suspended' ? flagOf(text) : field === 'kv' ? jsonOf(text) : text,
    ]),
  );
}

/** Spreadsheets write booleans in upper case. */
function flagOf(text: string): boolean | string {
  const word = text.trim().toLowerCase();
  return word === 'true' || (word === 'false' ? false : text);
}

function jsonOf(text: string): unknown {
  const parsed = parseStrictJson(text);
  return parsed.ok ? parsed.value : text;
}
