import type { ByteRange } from '#server/infra/storage/storage.ts';

/**
 * The part of a file that a `Range` header requests (RFC 9110 §14). Undefined: the whole file, also for a header that
 * cannot be parsed or requests several parts. Null: the file has no such part.
 */
export function rangeAsked(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? null : fromEnd(Number(last), size);
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return null;
  return { from, to: Math.min(last === '' ? size : Number(last), size - 1) };
}

function fromEnd(count: number, size: number): ByteRange {
  return { from: Math.max(0, size - count), to: size - 1 };
}
