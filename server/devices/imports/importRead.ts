import { Problem } from '#contract/problem.ts';
import type { Storage } from '#server/infra/storage/storage.ts';
import { csvRecords } from './importCsv.ts';
import { type ImportRecord, jsonRecords } from './importJson.ts';
import type { ImportRow } from './importStore.ts';

/** The size of a step: this many devices or characters, whichever comes first. */
const recordsAtOnce = 1000;
const lengthAtOnce = 8 * 1024 * 1024;

/** The file cannot be read any further, with the reason as a sentence. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Reads the records of an import file in steps. */
export async function* batchesOf(
  storage: Storage,
  { file, format }: Pick<ImportRow, 'file' | 'format'>,
): AsyncGenerator<ImportRecord[]> {
  if (file === null) throw new Problem('FILE_NOT_FOUND');
  const text = decoded(await storage.read(file));
  let records: ImportRecord[] = [];
  let length = 0;
  for await (const record of format === 'csv' ? csvRecords(text) : jsonRecords(text)) {
    records.push(record);
    length += record.length;
    if (records.length < recordsAtOnce && length < lengthAtOnce) continue;
    yield records;
    records = [];
    length = 0;
  }
  if (records.length > 0) yield records;
}

/** Strips the byte order mark that spreadsheets write. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('The file is not encoded in UTF-8.');
    throw error;
  }
}
