import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';
import { tgz } from './tar.ts';

const root = join(import.meta.dirname, '..');

/** Lays the device SDK beside the console as a package that npm installs from there: the platform brings its own. */
export function sdkPackage(): Plugin {
  return {
    name: 'sdk-package',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      const path = join(dir, 'sdk/mooring-device.tgz');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, tgz(await filesOf()));
    },
  };
}

async function filesOf(): Promise<Record<string, string>> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const { version, license } = JSON.parse(await read('package.json')) as Record<string, string>;
  const about = {
    ...{ name: '@mooring/device', version, license, type: 'module', engines: { node: '>=22' } },
    description: 'Connects a device to Mooring',
    exports: { '.': { types: './device.d.ts', default: './device.js' } },
  };
  return {
    'package/package.json': `${JSON.stringify(about, null, 2)}\n`,
    'package/device.js': await bundled(),
    'package/device.d.ts': await read('sdk/package/device.d.ts'),
    'package/README.md': await read('sdk/README.md'),
    'package/LICENSE': await read('LICENSE'),
  };
}

/** One module without imports, readable as it is. */
async function bundled(): Promise<string> {
  const built = await build({
    ...{ root, configFile: false, logLevel: 'error' },
    build: {
      ...{ write: false, minify: false, target: 'es2023' },
      lib: { entry: join(root, 'sdk/device.ts'), formats: ['es'] },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error('The SDK could not be built.');
  return chunk.code;
}
