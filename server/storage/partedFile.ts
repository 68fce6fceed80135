/** A file that is written in parts: in any order, several at once, and each as often as its sender likes. */
export interface PartedFile {
  place: string;
  /** What the store calls the upload, where it has a name for it. */
  upload: string;
}

export interface FilePart {
  /** From 1. */
  number: number;
  /** Where it begins in the file. */
  from: number;
  bytes: number;
}

/** What the store needs to put a part in its place. */
export interface StoredPart {
  number: number;
  etag: string;
}
