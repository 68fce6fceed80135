import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';
import { contractAsData } from './contractAsData.ts';
import { tgz } from './tgz.ts';

const root = join(import.meta.dirname, '..');

/** A package that the platform serves; `name` is also the name of its module and types. */
interface Sdk {
  name: 'device' | 'app';
  description: string;
  readme: string;
  node: string;
  target: string;
}

const sdks: Sdk[] = [
  {
    name: 'device',
    description: 'Connects a device to Mooring',
    readme: 'sdk/README.md',
    node: '>=22',
    target: 'es2023',
  },
  {
    name: 'app',
    description: 'Connects an app of end users to Mooring',
    readme: 'sdk/app/README.md',
    node: '>=20',
    target: 'es2022',
  },
];

/** Builds the SDKs as packages beside the console; npm installs them from the platform itself. */
export function sdkPackage(): Plugin {
  return {
    name: 'sdk-package',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      for (const sdk of sdks) {
        const path = join(dir, `sdk/mooring-${sdk.name}.tgz`);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, tgz(await filesOf(sdk)));
      }
    },
  };
}

async function filesOf(sdk: Sdk): Promise<Record<string, string>> {
  const { name, description, readme, node } = sdk;
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const { version, license } = JSON.parse(await read('package.json')) as Record<string, string>;
  const about = {
    name: `@mooring/${name}`,
    version,
    license,
    type: 'module',
    engines: { node },
    description,
    exports: { '.': { types: `./${name}.d.ts`, default: `./${name}.js` } },
  };
  return {
    'package/package.json': `${JSON.stringify(about, null, 2)}\n`,
    [`package/${name}.js`]: await bundled(sdk),
    ...(await typesOf(name)),
    'package/README.md': await read(readme),
    'package/LICENSE': await read('LICENSE'),
  };
}

/** The types of the package: `app.d.ts`, and `appAnswers.d.ts` if it imports that. */
async function typesOf(name: string): Promise<Record<string, string>> {
  const folder = join(root, 'sdk/package');
  const files = (await readdir(folder)).filter(file => file.startsWith(name) && file.endsWith('.d.ts'));
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')));
  return Object.fromEntries(files.map((file, at) => [`package/${file}`, texts[at] ?? '']));
}

/** A single module without imports, not minified. */
async function bundled({ name, target }: Sdk): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [contractAsData()],
    build: {
      write: false,
      minify: false,
      target,
      lib: { entry: join(root, `sdk/${name}.ts`), formats: ['es'] },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error(`The SDK ${name} could not be built.`);
  return chunk.code;
}
