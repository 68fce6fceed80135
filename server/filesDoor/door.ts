import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { importBytesMax } from '#contract/deviceBulk.ts';
import { logFileBytesMax } from '#contract/logRequest.ts';
import { Problem } from '#contract/problem.ts';
import { receiveImport } from '#server/deviceImports/importUpload.ts';
import { bodyOf, SenderGone } from '#server/files/body.ts';
import { type Right, rightOf } from '#server/files/links.ts';
import { rangeAsked } from '#server/files/range.ts';
import { Transfers } from '#server/files/transfers.ts';
import { findLogFile } from '#server/logRequests/logFile.ts';
import { receiveLog } from '#server/logRequests/receiveLog.ts';
import type { Platform } from '#server/platform.ts';

/** How long who was refused may go on sending, so that the answer reaches them: a reset would overtake it. */
const lingerMs = 2_000;

/** `/files/…`: uploads and downloads. The link itself is the permission, so that neither session nor guard is asked for. */
export async function filesDoor(app: FastifyInstance, platform: Platform): Promise<void> {
  const transfers = new Transfers();
  app.addHook('preClose', async () => transfers.stop());
  await app.register(
    async door => {
      door.removeAllContentTypeParsers();
      // Whatever it is said to be: it is read as it comes, by those who know what it has to be.
      door.addContentTypeParser('*', (_request, _body, done) => done(null));
      door.addHook('onResponse', async request => linger(request));
      door.put('/:token', { config: { takesItsTime: true } }, (...both) =>
        take(platform, transfers, ...both),
      );
      door.route({
        method: ['GET', 'HEAD'],
        url: '/:token',
        handler: (...both) => give(platform, transfers, ...both),
      });
      door.route({
        method: ['POST', 'PATCH', 'DELETE'],
        url: '/:token',
        handler: async () => {
          throw new Problem('METHOD_NOT_ALLOWED');
        },
      });
    },
    { prefix: '/files' },
  );
}

const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token;

async function take(platform: Platform, transfers: Transfers, request: FastifyRequest, reply: FastifyReply) {
  const right = rightOf(platform, tokenOf(request));
  try {
    await receive(platform, transfers, request, right);
  } catch (error) {
    if (error instanceof SenderGone) return reply.hijack();
    throw error;
  }
  return reply.code(204).send();
}

async function receive(platform: Platform, transfers: Transfers, { raw }: FastifyRequest, right: Right) {
  if (right.may === 'putImport') {
    return transfers.upload(right.importId, signal =>
      receiveImport(platform, right, bodyOf(raw, { signal, bytesMax: importBytesMax })),
    );
  }
  if (right.may === 'getLog') throw new Problem('METHOD_NOT_ALLOWED');
  return transfers.upload(right.requestId, signal =>
    receiveLog(platform, right, bodyOf(raw, { signal, bytesMax: logFileBytesMax })),
  );
}

/** A range of it, if one is asked for; always as a file to be saved, never as a page of ours. */
async function give(platform: Platform, transfers: Transfers, request: FastifyRequest, reply: FastifyReply) {
  const right = rightOf(platform, tokenOf(request));
  if (right.may !== 'getLog') throw new Problem('METHOD_NOT_ALLOWED');
  const { place, filename, sizeBytes } = await findLogFile(platform.db, right);
  // What is kept never changes, so that its id says which content it is.
  const etag = `"${right.requestId}"`;
  const { range: header, 'if-range': ifRange = etag } = request.headers;
  const range = ifRange === etag ? rangeAsked(header, sizeBytes) : undefined;
  if (range === null) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new Problem('INVALID_RANGE', { message: 'The file has no such range of bytes.' });
  }
  const { from, to } = range ?? { from: 0, to: sizeBytes - 1 };
  reply.headers({
    'content-type': 'application/gzip',
    'content-length': to - from + 1,
    'content-disposition': `attachment; filename="${filename}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag,
  });
  if (range) reply.code(206).header('content-range', `bytes ${from}-${to}/${sizeBytes}`);
  if (request.method === 'HEAD') return reply.send();
  const file = await platform.storage.read(place, range);
  transfers.download(reply.raw);
  return reply.send(file);
}

function linger({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const end = setTimeout(() => raw.destroy(), lingerMs);
  raw.once('close', () => clearTimeout(end));
}
