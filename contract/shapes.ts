import { z } from 'zod';
import { passwordMax, passwordMin } from '#rules/passwords/passwordLength.ts';

/** One line of text typed by a person: trimmed, without control characters. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
    .regex(/^[^\u0000-\u001f\u007f]*$/);

/** Text of several lines; can be empty. */
export const text = (max: number) => z.string().max(max);

/** The maximum length of the names of projects and devices, in characters. */
export const nameMax = 200;
export const descriptionMax = 2000;

/** RFC 3339 UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

const msOf = (text: string) => new Date(text).getTime();
/** RFC 3339 allows no years after 9999, and no time here is before 1970. */
const years = { first: msOf('1970-01-01T00:00:00Z'), last: msOf('9999-12-31T23:59:59.999Z') };

const isInYears = (text: string) => msOf(text) >= years.first && msOf(text) <= years.last;

/** A time sent by a caller, in any explicit time zone; normalized to UTC, years 1970 to 9999. */
export const moment = z.iso.datetime({ offset: true }).refine(isInYears);

/**
 * The message for an invalid begin or end. The reason is `INVALID_RANGE`, because it concerns both together.
 */
export const rangeSentences = {
  moment:
    'Send both times in RFC 3339 with a time zone, such as 2026-11-20T09:46:00Z, between 1970 and 9999.',
  month: 'Send both months in the form 2026-11, between 1970 and 9999.',
};

/** The begin or end of a requested time range. */
export const rangeMoment = z.iso
  .datetime({
    offset: true,
    error: ({ code }) => (code === 'invalid_format' ? rangeSentences.moment : undefined),
  })
  .refine(isInYears, rangeSentences.moment);

/** The first or last month of a requested range. */
export const rangeMonth = z.string().regex(/^(19[7-9]|[2-9]\d\d)\d-(0[1-9]|1[0-2])$/, rangeSentences.month);

/**
 * Compared case-insensitively and limited to the length of real addresses. Normalized (NFKC) before validation:
 * a full-width comma becomes a comma. The domain is restricted to letters, digits and hyphens, because a path,
 * escape or hash after it would disappear in the ASCII form.
 */
export const email = z
  .string()
  .trim()
  .normalize('NFKC')
  .max(254)
  .regex(/^[^\s@"<>()[\]\\,;:\p{C}]+@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u);

/** A password as sent. Its strength is checked by the server where a password is set. */
export const passwordGiven = z.string().min(1).max(1024);
/** A password being set: length in characters after NFKC, never trimmed. */
export const passwordNew = z
  .string()
  .max(1024)
  .refine(value => {
    const length = [...value.normalize('NFKC')].length;
    return length >= passwordMin && length <= passwordMax;
  });

export const token = z.string().min(1).max(512);
/** Increases with every change; sent back in `If-Match`. */
export const revision = z.number().int();

type Json = z.core.util.JSONType;

/**
 * Any JSON except undefined. Depth and strictness are checked where the body is parsed; passed through
 * unchanged, because a copy would cost time and lose a member named `__proto__`.
 */
export const jsonValue = z.custom<Json>(value => value !== undefined);
/** A JSON object. */
export const jsonObject = z
  .custom<Record<string, Json>>(value => typeof value === 'object' && value !== null && !Array.isArray(value))
  // A custom shape has no type of its own.
  .meta({ type: 'object' });

/** The project of a list that another field can name as well. */
export const projectUnless = (other: string) =>
  z
    .string()
    .max(64)
    .meta({ description: `Required unless \`${other}\` is sent. A key lists its own project without it.` })
    .optional();

/** The project of a row whose id is unique only there. */
export const projectOfRow = z
  .string()
  .max(64)
  .meta({ description: 'Required if the id exists in more than one of your projects.' })
  .optional();
