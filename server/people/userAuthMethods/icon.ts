import { Problem, reasons } from '#contract/problem.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { Platform } from '#server/infra/platform.ts';

export interface Icon {
  type: string;
  bytes: Buffer;
}

const bytesMax = 100_000;

/** Fetches a picture once and serves it from here, so that its original server does not learn who looks at it. */
export async function fetchIcon({ outside }: Platform, iconUrl: string): Promise<Icon> {
  const answer = await outside
    .fetchOutside(iconUrl, { headers: { accept: 'image/*' }, bytesMax, redirectsMax: 3 })
    .catch(error => {
      throw toProblem(error);
    });
  if (answer.status !== 200) throw unfit(`The server returned status ${answer.status}.`);
  const type = pictureType(answer.body);
  if (!type) throw unfit('The response is not a supported image.');
  return { type, bytes: answer.body };
}

/**
 * Detected by the first bytes, because the content type proves nothing. SVG is not supported: opened directly, it is a
 * page that can contain scripts.
 */
function pictureType(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'image/webp';
  if (start.startsWith('\0\0\x01\0')) return 'image/x-icon';
  return undefined;
}

function toProblem(error: unknown): unknown {
  if (error instanceof OutsideFault) return unfit(error.message);
  if (!(error instanceof Problem)) return error;
  const { message, reason, context } = error;
  return new Problem(reason, { message, context, fields: { iconUrl: reason } });
}

function unfit(cause: string): Problem {
  const message = `${reasons.ICON_UNFIT[1]} ${cause}`;
  return new Problem('ICON_UNFIT', { message, context: { cause }, fields: { iconUrl: 'ICON_UNFIT' } });
}
