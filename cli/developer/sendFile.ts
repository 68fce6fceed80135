import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { VersionUpload } from '#contract/componentVersion.ts';
import { exits, Failed } from './command.ts';

const partsAtOnce = 4;
const triesMax = 6;
const waitMaxMs = 30_000;

/** SHA-256 of a file of any size, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

interface Sending {
  path: string;
  upload: VersionUpload;
  /** The URL of the platform, for links without a host. */
  url: string;
  onProgress: (sentBytes: number) => void;
}

/** Sends the parts of a file that are not stored yet, several at once, with retries. */
export async function sendFile({ path, upload, url, onProgress }: Sending): Promise<void> {
  const { urls, stored, partBytes, sizeBytes } = upload;
  const missing = urls.map((_, at) => at + 1).filter(number => !stored.includes(number));
  let sentBytes = sizeBytes - missing.reduce((sum, number) => sum + bytesOf(upload, number), 0);
  onProgress(sentBytes);
  const file = await open(path, 'r');
  try {
    const sendNext = async (): Promise<void> => {
      for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
        const part = Buffer.alloc(bytesOf(upload, number));
        await file.read(part, 0, part.length, (number - 1) * partBytes);
        await sendPart(new URL(urls[number - 1] ?? '', url), part);
        sentBytes += part.length;
        onProgress(sentBytes);
      }
    };
    await Promise.all(Array.from({ length: partsAtOnce }, sendNext));
  } finally {
    await file.close();
  }
}

/** All parts but the last have the same length. */
function bytesOf({ partBytes, sizeBytes }: VersionUpload, number: number): number {
  return Math.min(partBytes, sizeBytes - (number - 1) * partBytes);
}

/**
 * A part can be sent repeatedly, so temporary failures are retried. The link itself is the secret; no token is sent.
 */
async function sendPart(link: URL, part: Buffer<ArrayBuffer>): Promise<void> {
  const digest = createHash('sha256').update(part).digest('base64');
  const headers = { 'content-digest': `sha-256=:${digest}:`, 'content-type': 'application/octet-stream' };
  for (let tried = 1; ; tried += 1) {
    const answer = await fetch(link, { method: 'PUT', headers, body: part }).catch(() => undefined);
    // A connection that is cut in the middle of the answer fails here.
    const isWhole = answer?.ok && (await answer.arrayBuffer().catch(() => undefined)) !== undefined;
    if (isWhole) return;
    const mayPass =
      !answer || answer.ok || answer.status === 429 || answer.status >= 500 || answer.status === 422;
    if (!mayPass || tried === triesMax) throw await refusal(answer);
    const askedMs = Number(answer?.headers.get('retry-after') ?? 0) * 1000;
    await pause(Math.min(waitMaxMs, Math.max(askedMs, 250 * 2 ** tried)));
  }
}

async function refusal(answer: Response | undefined): Promise<Failed> {
  if (!answer)
    return new Failed(
      exits.unavailable,
      'CONNECTION_ERROR',
      'The connection failed. Run the command again: parts already sent are not sent twice.',
    );
  const said = (await answer.json().catch(() => ({}))) as { reason?: string; message?: string };
  const exit = answer.status === 429 || answer.status >= 500 ? exits.unavailable : exits.refused;
  return new Failed(exit, said.reason ?? String(answer.status), said.message ?? 'A part was refused.');
}
