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

function linkOf(platform: Platform, links: FileLinks, { params }: FastifyRequest) {
  const { kind, ids, hasExpired } = readLink(platform, (params as { token: string }).token);
  const link = links[kind] ?? {};
  if (hasExpired) throw new Problem(link.expired ?? 'LINK_EXPIRED');
  return { kind, ids, link };
}

interface Parts {
  platform: Platform;
  links: FileLinks;
  transfers: Transfers;
}

async function take(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { platform, links, transfers } = parts;
  const { kind, ids, link } = linkOf(platform, links, request);
  const { upload } = link;
  if (!upload) throw new Problem('METHOD_NOT_ALLOWED');
  const { bytesMax, receive } = upload;
  try {
    await transfers.upload([kind, ...ids].join('.'), signal =>
      receive(platform, ids, bodyOf(request.raw, { signal, bytesMax }), request.headers),
    );
  } catch (error) {
    if (error instanceof SenderGone) return reply.hijack();
    throw error;
  }
  return reply.code(204).send();
}

/** A range of it, if one is asked for; always as a file to be saved, never as a page of ours. */
async function give({ platform, links, transfers }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { ids, link } = linkOf(platform, links, request);
  const { download } = link;
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
    'content-disposition': disposition(filename),
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

/** The name to save it under (RFC 6266); what is not plain ASCII in the encoding of RFC 8187 besides. */
function disposition(filename: string): string {
  const plain = filename.replace(/[^ -~]|["\\%]/g, '_');
  if (plain === filename) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function linger({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const end = setTimeout(() => raw.destroy(), lingerMs);
  raw.once('close', () => clearTimeout(end));
}
