import { partBytesDefault, partBytesMax, partBytesMin, partsMax } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import type { FilePart } from '#server/storage/partedFile.ts';

/** The size of each part of an upload except the last. */
export function partBytesFor(bytes: number, parts: number | undefined): number {
  const wanted = parts ?? Math.ceil(bytes / partBytesDefault);
  const partBytes = Math.ceil(bytes / wanted);
  const isFit = partBytes <= partBytesMax && (wanted === 1 || partBytes >= partBytesMin);
  if (parts === undefined) return Math.min(bytes, partBytesDefault);
  if (!isFit || wanted > partsMax) throw new Problem('PARTS_UNFIT', { fields: { parts: 'PARTS_UNFIT' } });
  return partBytes;
}

type Sizes = { sizeBytes: number; partBytes: number };

export const countParts = ({ sizeBytes, partBytes }: Sizes) => Math.ceil(sizeBytes / partBytes);

/** Undefined: the upload has no part with that number. */
export function partOf(sizes: Sizes, number: number): FilePart | undefined {
  if (!Number.isInteger(number) || number < 1 || number > countParts(sizes)) return undefined;
  const from = (number - 1) * sizes.partBytes;
  return { number, from, bytes: Math.min(sizes.partBytes, sizes.sizeBytes - from) };
}
