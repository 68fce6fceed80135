import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { type FileLinks, readLink } from '#server/files/links.ts';
import { rangeAsked } from '#server/files/range.ts';
import { Transfers } from '#server/files/transfers.ts';
import { bodyOf, SenderGone } from '#server/files/uploadBody.ts';
import type { Platform } from '#server/platform.ts';

/** How long who was refused may go on sending, so that the answer reaches them: a reset would overtake it. */
const lingerMs = 2_000;

/** `/files/…`: uploads and downloads. The link itself is the permission, so that neither session nor guard is asked for. */
export async function filesDoor(app: FastifyInstance, platform: Platform, links: FileLinks): Promise<void> {
  const transfers = new Transfers();
  const parts = { platform, links, transfers };
  app.addHook('preClose', async () => transfers.stop());
  await app.register(
    async door => {
      door.removeAllContentTypeParsers();
      // Whatever it is said to be: it is read as it comes, by those who know what it has to be.
      door.addContentTypeParser('*', (_request, _body, done) => done(null));
      door.addHook('onResponse', async request => linger(request));
      door.put('/:token', { config: { takesItsTime: true } }, (...both) => take(parts, ...both));
      door.route({
        method: ['GET', 'HEAD'],
        url: '/:token',
        handler: (...both) => give(parts, ...both),
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

interface Parts {
  platform: Platform;
  links: FileLinks;
  transfers: Transfers;
}

async function take(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { platform, links, transfers } = parts;
  const { kind, ids } = readLink(platform, tokenOf(request));
  const { upload } = links[kind] ?? {};
  if (!upload) throw new Problem('METHOD_NOT_ALLOWED');
  const { bytesMax, receive } = upload;
  try {
    await transfers.upload(ids.at(-1) ?? '', signal =>
      receive(platform, ids, bodyOf(request.raw, { signal, bytesMax })),
    );
  } catch (error) {
    if (error instanceof SenderGone) return reply.hijack();
    throw error;
  }
  return reply.code(204).send();
}

/** A range of it, if one is asked for; always as a file to be saved, never as a page of ours. */
async function give({ platform, links, transfers }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { kind, ids } = readLink(platform, tokenOf(request));
  const { download } = links[kind] ?? {};
  if (!download) throw new Problem('METHOD_NOT_ALLOWED');
  const { place, filename, sizeBytes, contentType, etag } = await download(platform, ids);
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
