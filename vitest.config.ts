import { defineConfig } from 'vitest/config';

const setupFiles = ['test/strictConsole.ts'];

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
          name: 'server',
          include: ['{server,sdk,cli,test,console,simulators,scripts}/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/globalSetup.ts'],
          // What the server answers is checked against the contract, always.
          env: { CHECK_ANSWERS: '1' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
