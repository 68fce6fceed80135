import { defineConfig } from 'vitest/config';

const setupFiles = ['test/strictConsole.ts'];

const withServer = {
  setupFiles,
  globalSetup: ['test/globalSetup.ts'],
  // What the server answers is checked against the contract, always.
  env: { CHECK_ANSWERS: '1' },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Only what fails waits for so long; a second is too short where the machine has much else to do.
  expect: { poll: { timeout: 30_000, interval: 20 } },
};

/** Each with modules of its own: it stubs what a browser has, looks at all endpoints there are, or replaces a module. */
const apart = [
  'console/{session,signInAgain,live/live,routes/guards,layout/overlays/callSnippets,logRequests/useDownload}.test.ts',
  'test/**/*.test.ts',
  'server/accounts/logIn.test.ts',
];

export default defineConfig({
  test: {
    // The database wants a core as well; more workers only make each other wait.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['{rules,contract,mqtt,console}/**/*.test.ts'],
          exclude: apart,
          setupFiles,
          // Modules are loaded once for all files of a worker: a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          ...withServer,
          name: 'server',
          include: ['{server,sdk,cli,simulators,scripts}/**/*.test.ts'],
          exclude: apart,
          // The server is loaded once for all files of a worker: a third less time. Each has a database of its own.
          isolate: false,
        },
      },
      { test: { ...withServer, name: 'apart', include: apart } },
    ],
  },
});
