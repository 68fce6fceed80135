import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { BlockCache } from '#server/api/files/blockCache.ts';
import type { StoredFile } from '#server/api/files/links.ts';
import { rangeAsked } from '#server/api/files/range.ts';
import type { Transfers } from '#server/api/files/transfers.ts';
import { countFirmwareBytes } from '#server/firmware/targets/countBytes.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ByteRange } from '#server/infra/storage/storage.ts';
import { disposition } from './disposition.ts';

interface Parts {
  platform: Platform;
  transfers: Transfers;
  blocks: BlockCache;
}

/** Answers with a file, or a range of it; always as a download, never as a page of our origin. */
export async function giveFile(parts: Parts, file: StoredFile, request: FastifyRequest, reply: FastifyReply) {
  const { filename, sizeBytes, contentType, etag } = file;
  const { range: header, 'if-range': ifRange = etag } = request.headers;
  const range = ifRange === etag ? rangeAsked(header, sizeBytes) : undefined;
  if (range === null) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new Problem('INVALID_RANGE', { message: 'The file does not have this byte range.' });
  }
  const part = range ?? { from: 0, to: sizeBytes - 1 };
  // Opened before the answer begins, because only then is a missing file still an error that can be answered.
  const body = await opened(parts, file, request, range ?? undefined);
  reply.headers({
    'content-type': contentType,
    'content-length': part.to - part.from + 1,
    'content-disposition': disposition(filename),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag,
  });
  if (range) reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${sizeBytes}`);
  if (!body) return reply.send();
  parts.transfers.download(reply.raw);
  return reply.send(body);
}

/** The bytes to send; undefined for a request that only asks for the headers. */
async function opened(
  { platform, blocks }: Parts,
  file: StoredFile,
  request: FastifyRequest,
  range: ByteRange | undefined,
): Promise<Readable | undefined> {
  const { place, sizeBytes, device } = file;
  const { storage } = platform;
  try {
    if (request.method === 'HEAD') {
      if ((await storage.size(place)) === undefined) throw new Problem('FILE_NOT_FOUND');
      return undefined;
    }
    if (!file.isHot) return await storage.read(place, range);
    const count = (bytes: number) => device && countFirmwareBytes(platform, { ...device, bytes });
    return await blocks.open(file, range ?? { from: 0, to: sizeBytes - 1 }, count);
  } catch (error) {
    if (error instanceof Problem && error.reason === 'FILE_NOT_FOUND')
      platform.log('error', 'A file is missing in the file store. Restore it from a backup', {
        requestId: request.id,
        place,
      });
    throw error;
  }
}
