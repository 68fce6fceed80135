import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';

export const bodyBytesMax = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON and form bodies strictly; other content types fail with 415 before the body is read. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseAs = 'buffer' as const;
  app.addContentTypeParser(
    'application/json',
    { parseAs },
    async (request: { headers: Headers }, body: Buffer) => {
      refuseEncoding(request.headers);
      return readJson(body);
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs },
    async (request: { headers: Headers }, body: Buffer) => {
      refuseEncoding(request.headers);
      return readForm(body);
    },
  );
}

type Headers = Record<string, string | string[] | undefined>;

/** Rejects compressed bodies: they can expand to gigabytes, and a mebibyte needs no compression. */
function refuseEncoding(headers: Headers): void {
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE');
  }
}

function readJson(body: Buffer): unknown {
  const parsed = parseStrictJson(decode(body));
  if (!parsed.ok) throw new Problem('MALFORMED', { context: { fault: parsed.fault, at: parsed.at } });
  return parsed.value;
}

function readForm(body: Buffer): unknown {
  const fields = [...new URLSearchParams(decode(body))];
  const names = new Set(fields.map(([name]) => name));
  const bad = fields.some(([name, value]) => `${name}${value}`.includes('\0'));
  if (names.size !== fields.length || bad) throw new Problem('MALFORMED');
  return Object.fromEntries(fields);
}

function decode(body: Buffer): string {
  try {
    const text = utf8.decode(body);
    if (!text.startsWith('\uFEFF')) return text;
  } catch {
    // Invalid UTF-8 gets the same error as a byte order mark.
  }
  throw new Problem('MALFORMED', { message: 'Send the body as UTF-8 without a byte order mark.' });
}
