import { partBytesDefault, partBytesMax, partBytesMin, partsMax } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import type { FilePart } from '#server/infra/storage/partedFile.ts';

/** The size of each part of an upload except the last; of a file of unknown size, which is one part, its limit. */
export function partBytesFor(bytes: number | undefined, parts: number | undefined): number {
  if (bytes === undefined) return wholeBytesMax(parts);
  const wanted = parts ?? Math.ceil(bytes / partBytesDefault);
  const partBytes = Math.ceil(bytes / wanted);
  const isFit = partBytes <= partBytesMax && (wanted === 1 || partBytes >= partBytesMin);
  if (parts === undefined) return Math.min(bytes, partBytesDefault);
  if (!isFit || wanted > partsMax) throw new Problem('PARTS_UNFIT', { fields: { parts: 'PARTS_UNFIT' } });
  return partBytes;
}

function wholeBytesMax(parts: number | undefined): number {
  if (parts === 1) return partBytesMax;
  const message =
    parts === undefined
      ? 'Send bytes, the size of the file, or parts: 1 if you do not know it.'
      : 'Send bytes, the size of the file. Only a file in one part can do without.';
  throw new Problem('INVALID_FIELDS', { message, fields: { bytes: 'REQUIRED' } });
}

/** `sizeBytes` is 0 while it is not known. */
type Sizes = { sizeBytes: number; partBytes: number };

export const countParts = ({ sizeBytes, partBytes }: Sizes) => Math.max(1, Math.ceil(sizeBytes / partBytes));

/** Undefined: the upload has no part with that number. */
export function partOf(sizes: Sizes, number: number): FilePart | undefined {
  if (!Number.isInteger(number) || number < 1 || number > countParts(sizes)) return undefined;
  if (sizes.sizeBytes === 0) return { number, from: 0, bytes: sizes.partBytes, isWhole: true };
  const from = (number - 1) * sizes.partBytes;
  return { number, from, bytes: Math.min(sizes.partBytes, sizes.sizeBytes - from) };
}
