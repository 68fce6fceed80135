import { createHash } from 'node:crypto';
import { type EntryRow, toEntry } from './store.ts';

/** What stands before the first seal of a log. */
export const noHash = Buffer.alloc(32);

/**
 * The seal of an entry: SHA-256 over the seal before it, 32 bytes, followed by the entry as canonical JSON (RFC 8785:
 * keys in order, no space), in UTF-8. It is the entry as the API shows it, with the id of its log as `projectId` and,
 * where it is about one, its `subject`; so a chain can be checked from an export, without us.
 */
export function sealOf(before: Buffer, projectId: string, row: EntryRow): Buffer {
  const { subject } = row;
  const entry = { ...toEntry(row), projectId, ...(subject !== null && { subject }) };
  return createHash('sha256').update(before).update(canonicalJson(entry)).digest();
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(one => canonicalJson(one)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}
