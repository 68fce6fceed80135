import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from './sourceFiles.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', '');
const [buildStage = '', runStage = ''] = dockerfile
  .split(/^(?=FROM )/m)
  .filter(text => text.startsWith('FROM'));
const serverEnv = Object.entries(JSON.parse(read('scripts/serverEnv.json')) as Record<string, string>);

/** What a stage copies from the sources, or from the build stage. */
function copied(stage: string, from: 'sources' | 'build'): string[] {
  const lines = [...stage.matchAll(/^COPY (--from=build )?(.+)$/gm)];
  return lines
    .filter(([, before]) => (from === 'build') === (before !== undefined))
    .flatMap(([, , words = '']) => words.split(' ').slice(0, -1));
}

/** All files that are loaded, starting from the entry points. */
function loadedBy(...entries: string[]): Set<string> {
  const byPath = new Map(sourceFiles.map(file => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string) => {
    const file = byPath.get(path);
    if (!file || seen.has(path)) return;
    seen.add(path);
    for (const { to, isValue } of importsOf(file)) if (to && isValue) visit(to);
    for (const [, url = ''] of file.text.matchAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g))
      seen.add(normalize(join(path, '..', url)));
  };
  entries.forEach(visit);
  return seen;
}

const isIn = (paths: string[], path: string) => paths.some(one => path === one || path.startsWith(`${one}/`));

describe('the container image', () => {
  it('copies only files that exist and that .dockerignore allows', () => {
    const allowed = read('.dockerignore').match(/(?<=^!).+$/gm) ?? [];
    const sources = [...copied(buildStage, 'sources'), ...copied(runStage, 'sources')];
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter(path => !existsSync(join(root, path)) || !isIn(allowed, path))).toEqual([]);
  });

  it('builds the console from the copied files, as npm start does, in a folder of any name', async () => {
    const sources = copied(buildStage, 'sources');
    expect(sources.toSorted()).toEqual(
      (JSON.parse(read('scripts/consoleInputs.json')) as string[]).toSorted(),
    );
    const folder = mkdtempSync(join(tmpdir(), 'mooring, image ü-'));
    try {
      for (const path of sources) cpSync(join(root, path), join(folder, path), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const build = [join(folder, 'node_modules/vite/bin/vite.js'), 'build'];
      await promisify(execFile)(process.execPath, build, {
        cwd: folder,
        env: { ...process.env, NODE_ENV: 'production' },
      });
      expect(existsSync(join(folder, 'dist/console/index.html'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // A whole build, which takes ten seconds of a core of its own.
  }, 180_000);

  it('has every file that the server and the command line load', () => {
    const there = copied(runStage, 'sources');
    const loaded = loadedBy('server/main.ts', 'cli/operator.ts');
    expect(loaded.size).toBeGreaterThan(200);
    expect([...loaded].filter(path => !isIn(there, path))).toEqual([]);
  });

  it('copies from the build stage what that stage produces', () => {
    expect(copied(runStage, 'build')).toEqual(['/app/node_modules', '/app/dist']);
    expect(buildStage).toContain('npm ci --omit=dev --include=optional --ignore-scripts');
  });

  it('runs programs that exist', () => {
    const named = [...dockerfile.matchAll(/\b(?:server|node_modules\/vite)\/[\w/.]+\.[tj]s\b/g)].map(
      ([path]) => path,
    );
    expect(named).toEqual(['node_modules/vite/bin/vite.js', 'server/main.ts']);
    expect(named.filter(path => !existsSync(join(root, path)))).toEqual([]);
    const { optionalDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const installed = Object.keys(optionalDependencies ?? {}).filter(name =>
      existsSync(join(root, 'node_modules', name)),
    );
    const scripts = installed.map(name => join(root, 'node_modules', name, 'scripts/hydrate-symlinks.js'));
    expect(scripts.filter(path => !existsSync(path))).toEqual([]);
  });

  it('runs on the Node version that the package requires, and not as root', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const majors = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => `>=${major}`);
    expect(new Set(majors)).toEqual(new Set([engines.node]));
    expect(runStage.indexOf('USER node')).toBeLessThan(runStage.indexOf('CMD ["node", "server'));
    expect(runStage).toContain('USER node');
  });
});

describe('however it is deployed', () => {
  it.each([
    ['Dockerfile', runStage],
    ['deploy/mooring.service', read('deploy/mooring.service')],
  ])('%s sets what npm start sets', (_, text) => {
    for (const [name, value] of serverEnv) expect(text).toContain(`${name}=${value}`);
  });

  it.each(['deploy/compose.yaml', 'deploy/compose.external.yaml'])(
    '%s sets only what the server reads',
    path => {
      const [, service = ''] = read(path).split(/^ {2}mooring:$/m);
      const block = service.split(/^ {2}\w+:$|^\w/m)[0] ?? '';
      const names = [...block.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name ?? '');
      const known = new Set(read('server/infra/config.ts').match(/\b[A-Z][A-Z0-9_]{2,}\b/g));
      expect(names.length).toBeGreaterThan(4);
      expect(names.filter(name => !known.has(name))).toEqual([]);
    },
  );

  it('the systemd unit starts a program that exists', () => {
    const [, program = ''] =
      /^ExecStart=\/usr\/bin\/env node (\S+)$/m.exec(read('deploy/mooring.service')) ?? [];
    expect(existsSync(join(root, program || 'none'))).toBe(true);
  });
});
