import { CallFailed } from '#contract/client.ts';

/** Why an upload cannot go on. */
export type UploadRefusal =
  /** The server said so. */
  | { kind: 'refused'; reason: CallFailed['reason']; sentence: string }
  /** The file is not the one whose checksum was given. */
  | { kind: 'checksum' }
  /** The browser cannot read the file any more: it was changed, moved or deleted. */
  | { kind: 'unreadable' };

export function refusalOf(error: unknown): UploadRefusal {
  if (error instanceof CallFailed) return { kind: 'refused', reason: error.reason, sentence: error.message };
  if (error instanceof DOMException) return { kind: 'unreadable' };
  throw error;
}

/** Passes by itself: no network, a server that restarts or asks for patience. A full disk does not. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return false;
  return error.status === 0 || error.status === 429 || (error.status >= 500 && error.status !== 507);
}
