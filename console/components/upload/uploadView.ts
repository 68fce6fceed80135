import type { Signature, VersionUpload } from '#contract/componentVersion.ts';
import type { Part } from './uploadParts.ts';
import type { UploadRefusal } from './uploadRefusal.ts';

/** `waiting`: for the network. `stuck`: parts failed for good. `reading`: all is stored, but its checksum is not known yet. */
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
  /** Of it, so far. */
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
  /** How much of the file is in its checksum. */
  readBytes: number;
  sha256: string | undefined;
  /** While it waits: when it tries again. */
  retryAt: number | undefined;
  /** How long there was no network, the last time there was none. */
  resumedAfterMs: number | undefined;
  /** Why it is stuck, or failed. */
  refusal: UploadRefusal | undefined;
}

/** What an upload needs of the world. */
export interface UploadWorld {
  put: (part: Part, url: string, signal: AbortSignal, onSent: (bytes: number) => void) => Promise<void>;
  hash: (signal: AbortSignal, onRead: (bytes: number) => void) => Promise<string>;
  read: () => Promise<VersionUpload>;
  complete: (body: { sha256: string; signature?: Signature }) => Promise<unknown>;
  /** Is over early when the network is back, or the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
  /** True: a key of the component has to sign the file. */
  isSigned: boolean;
}

/** Nothing more will come of it. */
export const isOver = (phase: UploadPhase): boolean => ['sent', 'failed', 'cancelled'].includes(phase);
