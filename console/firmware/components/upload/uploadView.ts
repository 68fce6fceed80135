import type { Signature, VersionUpload } from '#contract/componentVersion.ts';
import type { Part } from './uploadParts.ts';
import type { UploadRefusal } from './uploadRefusal.ts';

/**
 * `waiting`: for the network. `stuck`: parts have failed for good. `reading`: everything is stored, but the checksum is
 * not known yet.
 */
export type UploadPhase =
  | 'sending'
  | 'paused'
  | 'waiting'
  | 'stuck'
  | 'reading'
  | 'signing'
  | 'completing'
  | 'sent'
  | 'failed'
  | 'cancelled';

export type PartState = 'missing' | 'sending' | 'stored' | 'failed';

export interface PartView extends Part {
  state: PartState;
  /** The bytes of this part sent so far. */
  sentBytes: number;
}

export interface UploadView {
  phase: UploadPhase;
  filename: string;
  sizeBytes: number;
  partBytes: number;
  parts: readonly PartView[];
  sentBytes: number;
  bytesPerS: number | undefined;
  /** How many bytes of the file have been hashed. */
  readBytes: number;
  sha256: string | undefined;
  /** While waiting: the time of the next attempt. */
  retryAt: number | undefined;
  /** How long the last network outage took. */
  resumedAfterMs: number | undefined;
  /** Why the upload is stuck or has failed. */
  refusal: UploadRefusal | undefined;
}

/** What an upload needs from its environment. */
export interface UploadWorld {
  put: (part: Part, url: string, signal: AbortSignal, onSent: (bytes: number) => void) => Promise<void>;
  hash: (signal: AbortSignal, onRead: (bytes: number) => void) => Promise<string>;
  read: () => Promise<VersionUpload>;
  complete: (body: { sha256: string; signature?: Signature }) => Promise<unknown>;
  /** Ends early when the network is back or the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
  /** True: a key of the component has to sign the file. */
  isSigned: boolean;
}

/** True: the upload has ended. */
export const isOver = (phase: UploadPhase): boolean => ['sent', 'failed', 'cancelled'].includes(phase);
