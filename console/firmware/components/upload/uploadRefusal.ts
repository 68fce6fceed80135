import { CallFailed } from '#contract/client.ts';

/** Why an upload cannot go on. */
export type UploadRefusal =
  /** The server refused it. */
  | { kind: 'refused'; reason: CallFailed['reason']; sentence: string }
  /** The file does not have the given checksum. */
  | { kind: 'checksum' }
  /** The browser can no longer read the file: it was changed, moved or deleted. */
  | { kind: 'unreadable' };

export function refusalOf(error: unknown): UploadRefusal {
  if (error instanceof CallFailed) return { kind: 'refused', reason: error.reason, sentence: error.message };
  if (error instanceof DOMException) return { kind: 'unreadable' };
  throw error;
}

/** Temporary errors: no network, a server that restarts or asks to retry later. A full disk is not one. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return false;
  return error.status === 0 || error.status === 429 || (error.status >= 500 && error.status !== 507);
}
