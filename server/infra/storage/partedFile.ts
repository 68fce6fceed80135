/** A file that is written in parts: in any order, concurrently, and each part as often as its sender likes. */
export interface PartedFile {
  place: string;
  /** The id that the store gave to the upload, if it uses one. */
  upload: string;
}

export interface FilePart {
  /** Starts at 1. */
  number: number;
  /** Its offset in the file. */
  from: number;
  bytes: number;
  /** It is the whole file, whose size was not announced: `bytes` is its limit. Written again, it replaces all. */
  isWhole?: true;
}

/** What the store needs to join a part. */
export interface StoredPart {
  number: number;
  etag: string;
}
