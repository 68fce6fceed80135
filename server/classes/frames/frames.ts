import { type RejectReason, rejectReasons, topics } from '#contract/deviceProtocol.ts';
import type { SchemaFault } from '#contract/quarantine.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { type JsonFault, parseStrictJson } from '#rules/json/strictJson.ts';
import { shapeFaults } from './shapeFaults.ts';
import type { UpName } from './topics.ts';

/** Why a message was rejected, as reported to its device. */
export interface Refusal {
  reason: RejectReason;
  message: string;
  faults?: SchemaFault[];
}

/** The parsed payload and its original text, which preserves the digits of numbers and the order of members. */
export interface Frame {
  value: unknown;
  text: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const jsonFaults: Record<JsonFault, string> = {
  SYNTAX: 'The payload is not valid JSON',
  TOO_DEEP: 'The payload is nested more than 100 levels deep',
  DUPLICATE_KEY: 'An object has a duplicate member',
  NUMBER_RANGE: 'A number would lose digits (send it as a string)',
  TEXT: 'A string contains NUL or half a surrogate pair',
};

export function refuse(reason: RejectReason, message: string = rejectReasons[reason]): Refusal {
  return { reason, message };
}

/** Parses the JSON payload and validates its shape. */
export function readFrame(name: UpName, payload: Uint8Array): Frame | Refusal {
  let text: string;
  try {
    text = utf8.decode(payload);
  } catch {
    return refuse('MALFORMED', 'The payload is not valid UTF-8.');
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    const place = parsed.at === undefined ? '' : `, at character ${parsed.at + 1}`;
    return refuse('MALFORMED', `${jsonFaults[parsed.fault]}${place}.`);
  }
  return shapeFault(name, parsed.value) ?? { value: parsed.value, text };
}

export function isRefusal(read: Frame | Refusal): read is Refusal {
  return 'reason' in read;
}

/** State and most events accept any JSON, so the schemas, which visit every value, are skipped. */
function shapeFault(name: UpName, value: unknown): Refusal | undefined {
  if (name === 'state' && isObject(value)) return undefined;
  if (name === 'event' && !(isObject(value) && '_alert' in value)) return undefined;
  const shape = name === 'event' ? topics.event.payload.options[0] : topics[name].payload;
  const parsed = shape.safeParse(value);
  if (parsed.success) return undefined;
  return { ...refuse('INVALID_FIELDS'), faults: shapeFaults(parsed.error.issues, value).slice(0, 20) };
}
