import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';
import { contractAsData } from './contractAsData.ts';
import { tgz } from './tgz.ts';

const root = join(import.meta.dirname, '..');

/**
 * Builds the developer command line as a package beside the console, so that pipelines can run it from there with npx.
 */
export function cliPackage(): Plugin {
  return {
    name: 'cli-package',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      const path = join(dir, 'sdk/mooring.tgz');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, tgz(await filesOf()));
    },
  };
}

async function filesOf(): Promise<Record<string, string>> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const { version, license } = JSON.parse(await read('package.json')) as Record<string, string>;
  const about = {
    name: '@mooring/cli',
    version,
    license,
    type: 'module',
    engines: { node: '>=22' },
    description: 'The developer command line of Mooring',
    bin: { mooring: './mooring.js' },
  };
  return {
    'package/package.json': `${JSON.stringify(about, null, 2)}\n`,
    'package/mooring.js': `#!/usr/bin/env node\n${await bundled()}`,
    'package/README.md': await read('docs/ci.md'),
    'package/LICENSE': await read('LICENSE'),
  };
}

/** A single module that imports only Node's own modules, without the shapes of the contract. */
async function bundled(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [contractAsData()],
    ssr: { noExternal: true },
    build: {
      write: false,
      minify: false,
      target: 'node22',
      ssr: join(root, 'cli/developer.ts'),
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error('The command line could not be built.');
  return chunk.code;
}
