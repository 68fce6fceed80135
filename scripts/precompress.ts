import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
const text = /\.(js|css|html|svg|json|txt)$/;

/**
 * Writes a `.br` file beside each text file of the build, with maximum compression, so that the server never
 * compresses.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.values(bundle)
          .filter(file => text.test(file.fileName))
          .map(async file => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            const small = await compress(content, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
              },
            });
            await writeFile(join(dir, `${file.fileName}.br`), small);
          }),
      );
    },
  };
}
