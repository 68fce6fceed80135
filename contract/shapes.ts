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

/** A moment given by a caller: any zone, but a zone. */
export const moment = z.iso.datetime({ offset: true });

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
