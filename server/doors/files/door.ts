import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { BlockCache } from '#server/api/files/blockCache.ts';
import { type FileLinks, readLink } from '#server/api/files/links.ts';
import { Transfers } from '#server/api/files/transfers.ts';
import { bodyOf, SenderGone } from '#server/api/files/uploadBody.ts';
import { publicFirmware } from '#server/firmware/components/versions/versionFiles.ts';
import type { Platform } from '#server/infra/platform.ts';
import { giveFile } from './giveFile.ts';

/** How long a rejected sender may continue sending, because a reset could arrive before the answer. */
const lingerMs = 2_000;

/**
 * `/files/…`: uploads and downloads. The link itself is the permission, so neither session nor guard is checked.
 * `/firmware/…`: the fixed address of a version, in projects that make their firmware public.
 */
export async function filesDoor(app: FastifyInstance, platform: Platform, links: FileLinks): Promise<void> {
  const transfers = new Transfers();
  const parts = { platform, links, transfers, blocks: new BlockCache(platform.storage) };
  app.addHook('preClose', async () => transfers.stop());
  await app.register(
    async door => {
      door.removeAllContentTypeParsers();
      // Accepts any content type: the body is streamed to a receiver that knows the format.
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
  app.route<{ Params: { versionId: string } }>({
    method: ['GET', 'HEAD'],
    url: '/firmware/:versionId',
    handler: async (request, reply) =>
      giveFile(parts, await publicFirmware(platform.db, request.params.versionId), request, reply),
  });
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
  blocks: BlockCache;
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

async function give(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { ids, link } = linkOf(parts.platform, parts.links, request);
  if (!link.download) throw new Problem('METHOD_NOT_ALLOWED');
  return giveFile(parts, await link.download(parts.platform, ids), request, reply);
}

function linger({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const end = setTimeout(() => raw.destroy(), lingerMs);
  raw.once('close', () => clearTimeout(end));
}
