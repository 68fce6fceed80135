// Every npm script starts here. Runs on Node 18 and later; everything else runs on Node 24, from runtime.mjs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAll } from './check.mjs';
import { buildConsole } from './consoleBuild.mjs';
import { develop } from './develop.mjs';
import { ensureDependencies } from './install.mjs';
import { become, root } from './processes.mjs';
import { ensureRuntime } from './runtime.mjs';
import { testAll } from './test.mjs';

const [name = '', ...args] = process.argv.slice(2);
const commands = {
  start: { needsAll: false, run: start },
  dev: { needsAll: false, run: develop },
  build: { needsAll: false, run: buildConsole },
  test: { needsAll: true, run: testAll },
  check: { needsAll: true, run: checkAll },
  mooring: { needsAll: false, run: (runtime, args) => program(runtime, 'cli/operator.ts', args) },
  cli: { needsAll: false, run: (runtime, args) => program(runtime, 'cli/developer.ts', args) },
  // Not by `npx vite`: a Node that cannot read TypeScript would serve a blank page.
  example: { needsAll: false, run: (runtime, args) => vite(runtime, ['examples/app', ...args]) },
  simulate: { needsAll: false, run: (runtime, args) => program(runtime, 'simulators/fleet/main.ts', args) },
  // Without arguments, they only list what is available, which needs no test tools.
  torture: { needsAll: args.length > 0, run: (runtime, args) => program(runtime, 'bench/torture.ts', args) },
  bench: { needsAll: args.length > 0, run: (runtime, args) => program(runtime, 'bench/run.ts', args) },
};

const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (!command) throw new Error(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`);
  // Concurrently: on a fresh clone, one waits for the network while the other unpacks.
  const runtime = ensureRuntime();
  await Promise.all([runtime, ensureDependencies(command.needsAll, runtime)]);
  await command.run(await runtime, args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function start(runtime) {
  await buildConsole(runtime, { unlessInUse: true });
  program(runtime, 'server/main.ts', []);
}

function vite(runtime, args) {
  become(runtime, [join(root, 'node_modules/vite/bin/vite.js'), ...args], runtime.env);
}

function program(runtime, file, args) {
  if (!existsSync(join(root, file))) throw new Error(`${file} is missing.`);
  become(runtime, [file, ...args], {
    // The server's environment; variables that are already set take precedence. The young generation and the
    // allocator's arenas are kept small: an idle server then needs a third less memory. With half of this young
    // generation, a busy server would do a third less work.
    ...JSON.parse(readFileSync(join(root, 'scripts/serverEnv.json'), 'utf8')),
    // Compiled code is cached between starts, which reduces the time until the server answers by a quarter.
    NODE_COMPILE_CACHE: join(root, '.runtime/compiled'),
    ...runtime.env,
  });
}
