import type { CommandFrame } from '#contract/deviceProtocol.ts';

export type Json = CommandFrame['args'];
export type JsonObject = { [member: string]: Json };

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Undefined: the value cannot be written as JSON. */
export function encodeJson(value: unknown): Uint8Array | undefined {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : utf8.encode(text);
  } catch {
    return undefined;
  }
}

/** Undefined: this is not JSON. */
export function decodeJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(fromUtf8.decode(bytes));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
