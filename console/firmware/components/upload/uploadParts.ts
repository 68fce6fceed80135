/** A range of the file that is sent on its own. */
export interface Part {
  /** Starts at 1. */
  number: number;
  from: number;
  /** Exclusive. */
  to: number;
}

/** The parts of a file in order; all but the last have the same size. */
export function partsOf(sizeBytes: number, partBytes: number): Part[] {
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, at) => ({
    number: at + 1,
    from: at * partBytes,
    to: Math.min(sizeBytes, (at + 1) * partBytes),
  }));
}

/** Why a chosen file cannot be used to resume an upload; undefined if it can. */
export function unlike(
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
  /** `modifiedMs`: when the file had last been changed, if this browser began the upload. */
  begun: { filename: string; sizeBytes: number; modifiedMs?: number | undefined },
): 'name' | 'size' | 'content' | undefined {
  if (file.size !== begun.sizeBytes) return 'size';
  if (file.name !== begun.filename) return 'name';
  return begun.modifiedMs === undefined || file.lastModified === begun.modifiedMs ? undefined : 'content';
}
