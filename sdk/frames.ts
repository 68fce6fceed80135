import type { CommandFrame, LogRequestFrame, RejectedFrame } from '#contract/deviceProtocol.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** One file of the firmware that shall run. */
export interface TargetComponent {
  component: string;
  version: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** Signed, and good for a while. */
  url: string;
  config?: Json;
  /** A device does not go back below it. */
  securityVersion?: number;
  /** Of the developer’s offline key. */
  signature?: { keyId: string; value: string };
  /** Makes this file from the one with the checksum `from`. */
  delta?: { format: 'zstd-patch'; from: string; url: string; size: number; sha256: string };
}

/** The firmware that shall run. */
export interface Target {
  /** Rises when the bundle changes. */
  sequence: number;
  bundleId: string;
  deviceClass?: string;
  components: TargetComponent[];
  /** What the people of the home answered: install it, or not before a time. */
  consent?: { answer: 'install' | 'later'; until?: string };
  /** Of the platform’s key. */
  proof?: { issuedAt: string; expiresAt: string; digest: string; signature: string };
}

export type Rejected = RejectedFrame;

// What the platform sends is looked at as far as it is used: a newer one may say more.

export function isCommandFrame(frame: unknown): frame is CommandFrame {
  return isObject(frame) && typeof frame.id === 'string' && typeof frame.expiresAt === 'string';
}

export function isLogRequestFrame(frame: unknown): frame is LogRequestFrame {
  if (!isObject(frame)) return false;
  const { id, start, end, uploadUrl, prefixes } = frame;
  return [id, start, end, uploadUrl].every(one => typeof one === 'string') && Array.isArray(prefixes);
}

export function isRejectedFrame(frame: unknown): frame is RejectedFrame {
  return isObject(frame) && typeof frame.topic === 'string' && typeof frame.reason === 'string';
}

export function isTarget(frame: unknown): frame is JsonObject & Target {
  return isObject(frame) && typeof frame.bundleId === 'string' && Array.isArray(frame.components);
}

/** `{ version, desired }`, and `{ version, delta }`. */
export function versioned(frame: unknown, member: 'desired' | 'delta') {
  if (!isObject(frame) || typeof frame.version !== 'number') return undefined;
  const state = frame[member];
  return isObject(state) ? { version: frame.version, state } : undefined;
}
