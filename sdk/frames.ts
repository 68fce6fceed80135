import type { CommandFrame, LogRequestFrame, RejectedFrame } from '#contract/deviceProtocol.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** One component of the target firmware. */
export interface TargetComponent {
  component: string;
  version: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** A signed link that expires. */
  url: string;
  config?: Json;
  /** A device never installs a lower security version. */
  securityVersion?: number;
  /** The signature by the developer’s offline key. */
  signature?: { keyId: string; value: string };
  /** Creates this file from the one with the checksum `from`. */
  delta?: { format: 'zstd-patch'; from: string; url: string; size: number; sha256: string };
}

/** The firmware that the device should run. */
export interface Target {
  /** Increases when the bundle changes. */
  sequence: number;
  bundleId: string;
  deviceClass?: string;
  components: TargetComponent[];
  /** The home's answer: install now, or not before `until`. */
  consent?: { answer: 'install' | 'later'; until?: string };
  /** The signature by the platform’s key. */
  proof?: { issuedAt: string; expiresAt: string; digest: string; signature: string };
}

export type Rejected = RejectedFrame;

// Only the parts that are used are checked, because a newer platform may send more.

export function isCommandFrame(frame: unknown): frame is CommandFrame {
  return isObject(frame) && typeof frame.id === 'string' && typeof frame.expiresAt === 'string';
}

export function isLogRequestFrame(frame: unknown): frame is LogRequestFrame {
  if (!isObject(frame)) return false;
  const { id, start, end, uploadUrl, prefixes } = frame;
  return [id, start, end, uploadUrl].every(one => typeof one === 'string') && Array.isArray(prefixes);
}

export function isRejectedFrame(frame: unknown): frame is RejectedFrame {
  if (!isObject(frame)) return false;
  const { topic, reason, message } = frame;
  return [topic, reason, message].every(one => typeof one === 'string');
}

export function isTarget(frame: unknown): frame is JsonObject & Target {
  return isObject(frame) && typeof frame.bundleId === 'string' && Array.isArray(frame.components);
}

/** Parses `{ version, desired }` and `{ version, delta }`. */
export function versioned(frame: unknown, member: 'desired' | 'delta') {
  if (!isObject(frame) || typeof frame.version !== 'number') return undefined;
  const state = frame[member];
  return isObject(state) ? { version: frame.version, state } : undefined;
}
