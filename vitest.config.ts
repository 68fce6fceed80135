import { defineConfig } from 'vitest/config';

const setupFiles = ['test/strictConsole.ts'];

const withServer = {
  setupFiles,
  globalSetup: ['test/globalSetup.ts'],
  // What the server answers is checked against the contract, always.
  env: { CHECK_ANSWERS: '1' },
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** Each with modules of its own: a page has a session, the rules look at all endpoints there are, a module is replaced. */
const apart = ['{console,test}/**/*.test.ts', 'server/accounts/logIn.test.ts'];

export default defineConfig({
  test: {
    // The database wants a core as well; more workers only make each other wait.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['{rules,contract,mqtt}/**/*.test.ts'],
          setupFiles,
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
