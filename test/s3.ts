import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Config } from '#server/infra/config.ts';

/** An S3 server, with a bucket for the caller alone. */
export async function anS3(): Promise<{
  config: S3Config;
  env: Record<string, string>;
  end(): Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'mooring-s3-'));
  const configureBuckets = [{ name: 'files', configs: [] }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  const config = {
    url: `http://127.0.0.1:${port}/files`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  return {
    config,
    env: {
      S3_URL: config.url,
      S3_ACCESS_KEY_ID: config.accessKeyId,
      S3_SECRET_ACCESS_KEY: config.secretAccessKey,
    },
    async end() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
