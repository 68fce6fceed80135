import { z } from 'zod';

/** A line of text as people type it: trimmed, without control characters. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
    .regex(/^[^\u0000-\u001f\u007f]*$/);

/** Text of several lines; may be empty. */
export const text = (max: number) => z.string().max(max);

/** RFC 3339 UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

const msOf = (text: string) => new Date(text).getTime();
/** RFC 3339 has no other years, and before 1970 nothing of ours happened. */
const years = { first: msOf('1970-01-01T00:00:00Z'), last: msOf('9999-12-31T23:59:59.999Z') };

const isInYears = (text: string) => msOf(text) >= years.first && msOf(text) <= years.last;

/** A moment given by a caller: any zone, but a zone; in UTC of the years 1970 to 9999. */
export const moment = z.iso.datetime({ offset: true }).refine(isInYears);

/** What is said of a begin or an end that is none; such a fault is `INVALID_RANGE`, as of the two together. */
export const rangeSentences = {
  moment: 'Give both times by RFC 3339 with a zone, like 2026-11-20T09:46:00Z, between 1970 and 9999.',
  month: 'Give both months like 2026-11, between 1970 and 9999.',
};

/** Where a stretch of time that is asked for begins or ends. */
export const rangeMoment = z.iso
  .datetime({
    offset: true,
    error: ({ code }) => (code === 'invalid_format' ? rangeSentences.moment : undefined),
  })
  .refine(isInYears, rangeSentences.moment);

/** The first or last month of such a stretch. */
export const rangeMonth = z.string().regex(/^(19[7-9]|[2-9]\d\d)\d-(0[1-9]|1[0-2])$/, rangeSentences.month);

/**
 * Compared without case; longer than any real address is refused. Brought to its plain letters before it is judged:
 * a full-width comma becomes a comma. The domain is letters, digits and hyphens, since a path, an escape or a hash
 * behind it would vanish when it is written in ASCII.
 */
export const email = z
  .string()
  .trim()
  .normalize('NFKC')
  .max(254)
  .regex(/^[^\s@"<>()[\]\\,;:\p{C}]+@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u);

/** Any password as it is sent; whether it is good enough is for the server to say where one is set. */
export const passwordGiven = z.string().min(1).max(1024);
export const passwordMin = 8;
export const passwordMax = 256;
/** A password being set: length in characters after NFKC, never trimmed. */
export const passwordNew = z
  .string()
  .max(1024)
  .refine(value => {
    const length = [...value.normalize('NFKC')].length;
    return length >= passwordMin && length <= passwordMax;
  });

export const token = z.string().min(1).max(512);
/** Counts up with every change; sent back in `If-Match`. */
export const revision = z.number().int();

type Json = z.core.util.JSONType;

/**
 * Any JSON but nothing at all. How deep and how strict is checked where the body is read; taken as it is, since going
 * through it once more would take its time, and lose a member named `__proto__`.
 */
export const jsonValue = z.custom<Json>(value => value !== undefined);
/** A JSON object. */
export const jsonObject = z.custom<Record<string, Json>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
);
