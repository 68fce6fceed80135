import { defineConfig } from 'vitest/config';

const setupFiles = ['test/strictConsole.ts'];

// Only a failure waits this long; the defaults of a few seconds are too short on a busy machine.
const patient = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
};

const withServer = {
  ...patient,
  setupFiles,
  globalSetup: ['test/globalSetup.ts'],
  // The server's answers are always checked against the contract.
  env: { CHECK_ANSWERS: '1' },
};

/** Files with modules of their own: they stub browser globals, look at every existing endpoint, or replace a module. */
const apart = [
  'console/{core/session,core/signInAgain,core/live/live,frame/routes/guards,frame/layout/overlays/callSnippets,logs/logRequests/useDownload}.test.ts',
  'test/**/*.test.ts',
  'server/accounts/developers/logIn.test.ts',
];

export default defineConfig({
  test: {
    // For two cores: a test waits for its database, a device or a moment as much as it computes.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...patient,
          name: 'pure',
          include: ['{rules,contract,mqtt,console}/**/*.test.ts'],
          exclude: apart,
          setupFiles,
          // Modules are loaded once for all files of a worker, which takes a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          ...withServer,
          name: 'server',
          include: ['{server,sdk,cli,simulators,scripts}/**/*.test.ts'],
          exclude: apart,
          // The server is loaded once for all files of a worker: a third less time. Each file has its own database.
          isolate: false,
        },
      },
      { test: { ...withServer, name: 'apart', include: apart } },
    ],
  },
});
