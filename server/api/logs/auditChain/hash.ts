import { createHash } from 'node:crypto';
import { type EntryRow, toSealed } from '#server/api/logs/store.ts';

/** The value before the first seal of a log. */
export const noHash = Buffer.alloc(32);

/**
 * Computes the seal of an entry: SHA-256 over the previous seal (32 bytes) and the entry as canonical JSON (RFC
 * 8785) in UTF-8. The entry has the shape the API returns, with the id of its log as `projectId` and its
 * `subject`, if any, so that a chain can be verified from an export alone. Names of end users are replaced by their
 * digests, see `entryNames.ts`.
 */
export function sealOf(before: Buffer, projectId: string, row: EntryRow): Buffer {
  const { subject } = row;
  const entry = { ...toSealed(row), projectId, ...(subject !== null && { subject }) };
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
