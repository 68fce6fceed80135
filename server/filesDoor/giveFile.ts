import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { countFirmwareBytes } from '#server/deviceFirmware/countBytes.ts';
import type { BlockCache } from '#server/files/blockCache.ts';
import type { StoredFile } from '#server/files/links.ts';
import { rangeAsked } from '#server/files/range.ts';
import type { Transfers } from '#server/files/transfers.ts';
import type { Platform } from '#server/platform.ts';
import { disposition } from './disposition.ts';

interface Parts {
  platform: Platform;
  transfers: Transfers;
  blocks: BlockCache;
}

/** Answers with a file, or a range of it; always as a download, never as a page of our origin. */
export async function giveFile(
  { platform, transfers, blocks }: Parts,
  file: StoredFile,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { place, filename, sizeBytes, contentType, etag, device } = file;
  const { range: header, 'if-range': ifRange = etag } = request.headers;
  const range = ifRange === etag ? rangeAsked(header, sizeBytes) : undefined;
  if (range === null) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new Problem('INVALID_RANGE', { message: 'The file does not have this byte range.' });
  }
  const { from, to } = range ?? { from: 0, to: sizeBytes - 1 };
  reply.headers({
    'content-type': contentType,
    'content-length': to - from + 1,
    'content-disposition': disposition(filename),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag,
  });
  if (range) reply.code(206).header('content-range', `bytes ${from}-${to}/${sizeBytes}`);
  if (request.method === 'HEAD') return reply.send();
  const count = (bytes: number) => device && countFirmwareBytes(platform, { ...device, bytes });
  const body = file.isHot
    ? blocks.read(file, { from, to }, count)
    : await platform.storage.read(place, range);
  transfers.download(reply.raw);
  return reply.send(body);
}
