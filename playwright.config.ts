import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const debians = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.CHROMIUM ?? debians.find(path => existsSync(path));

/** Without these flags the browser contacts its vendor at every start. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // For two cores: a journey waits for its screen as much as the browser, the server and the database compute.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A test that passes the second time hides a race.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  use: {
    // Tracing takes a third of the time; `--trace on` records the test under investigation.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Chromium's sandbox refuses root.
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet,
    },
  },
});
