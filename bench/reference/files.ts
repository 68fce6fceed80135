import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fastify from 'fastify';

/**
 * The reference for files: bare Fastify between a socket and a file. Checks no link, computes no hash, and syncs
 * nothing.
 */
const folder = process.env.FILES ?? '';
const app = fastify();
app.addContentTypeParser('*', (_request, _body, done) => done(null));
app.get('/readyz', async () => ({}));
app.get('/download', async (_request, reply) =>
  reply.header('content-length', process.env.BYTES ?? '').send(createReadStream(join(folder, 'download'))),
);
app.put<{ Params: { part: string } }>('/upload/:part', async (request, reply) => {
  await pipeline(request.raw, createWriteStream(join(folder, `part-${Number(request.params.part)}`)));
  return reply.code(204).send();
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
