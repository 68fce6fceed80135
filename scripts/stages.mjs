// The stages of a test run. Each returns its counts, taken from its tool's own report if there is one.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { capture, root, show } from './processes.mjs';
import { journeyFiles, printTimes, timed, unitFiles } from './times.mjs';

const none = { passed: 0, failed: 0, skipped: 0, failures: [], stages: [], files: [] };

/**
 * A single checker, because several would each compute the types of the libraries. Unchanged files are not checked
 * again.
 */
const types = ['--checkers', '1', '--incremental', '--tsBuildInfoFile', '.runtime/types.tsbuildinfo'];
export const typecheck = runtime => check(runtime, 'types', 'typescript/bin/tsc', types);
export const lint = runtime => check(runtime, 'lint', '@biomejs/biome/bin/biome', ['check']);
export const unused = runtime => check(runtime, 'unused code', 'knip/bin/knip.js', []);

/** A tool that succeeds or fails: it counts as one test, and its output is shown only if it fails. */
function check(runtime, name, tool, args) {
  return timed(name, () => succeeds(runtime, name, tool, args));
}

async function succeeds(runtime, name, tool, args) {
  const { code, said: output } = await capture(runtime, runtime.node, [
    join(root, 'node_modules', tool),
    ...args,
  ]);
  console.log(code === 0 ? `✓ ${name}` : `✗ ${name}\n${output}`);
  return code === 0 ? { ...none, passed: 1 } : failed(said(name, output));
}

/** A stage that could not succeed, as one failed test. */
export const failed = failure => ({ ...none, failed: 1, failures: [failure] });

/** Everything that runs without a browser. */
export const unitTests = (runtime, args = []) => timed('tests', () => vitest(runtime, args));

async function vitest(runtime, args) {
  const report = freshReport('vitest.json');
  const tool = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${relative(root, report)}`];
  const code = await show(runtime, runtime.node, [tool, 'run', '--passWithNoTests', ...reporters, ...args]);
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    testResults = [],
  } = readReport(report);
  // A file that cannot be loaded has no tests that could fail, so it is counted separately.
  const brokenFiles = testResults.filter(
    file => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return counted(code, {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests,
    failures: [
      ...brokenFiles.map(file => said(relative(root, file.name), file.message)),
      ...failedTests(testResults),
    ],
    files: unitFiles(testResults, file => relative(root, file)),
  });
}

/** The end-to-end tests in a real browser. */
export const browserTests = (runtime, browser) => timed('journeys', () => playwright(runtime, browser));

async function playwright(runtime, browser) {
  const report = freshReport('playwright.json');
  const tool = join(root, 'node_modules/@playwright/test/cli.js');
  const env = { CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const code = await show(runtime, runtime.node, [tool, 'test', '--reporter=list,json'], env);
  const { stats = {}, suites = [] } = readReport(report);
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats;
  return counted(code, {
    passed: expected,
    failed: unexpected + flaky,
    skipped,
    failures: suites.flatMap(failedJourneys),
    files: journeyFiles(suites),
  });
}

function failedTests(files) {
  return files.flatMap(file =>
    file.assertionResults
      .filter(test => test.status === 'failed')
      .map(test => said(`${relative(root, file.name)} › ${test.fullName}`, test.failureMessages[0])),
  );
}

function failedJourneys({ suites = [], specs = [] }) {
  const own = specs
    .filter(spec => !spec.ok)
    .map(spec => said(`e2e/${spec.file} › ${spec.title}`, firstError(spec)?.message));
  return [...own, ...suites.flatMap(failedJourneys)];
}

const firstError = spec =>
  spec.tests.flatMap(test => test.results.flatMap(result => result.errors)).find(Boolean);

/** A failed test with the beginning of its error; the full error is printed further up. */
function said(name, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
  return [name, ...lines.map(line => `    ${line}`)].join('\n');
}

export function sum(results) {
  const add = (a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    stages: [...a.stages, ...b.stages],
    files: [...a.files, ...b.files],
  });
  return results.reduce(add, none);
}

/**
 * Prints where the time went, the failures again, and the count as the last line. The run fails if anything failed or
 * nothing ran.
 */
export function conclude({ passed, failed, skipped, failures, ...times }) {
  printTimes(times);
  for (const failure of failures) console.log(`✗ ${failure}`);
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** A tool that fails without a failed test, because of an error outside of any test, counts as one failure. */
function counted(code, counts) {
  const result = { ...none, ...counts };
  if (code === 0 || result.failed > 0) return result;
  return {
    ...result,
    failed: 1,
    failures: [...result.failures, 'a tool ended with an error outside of any test'],
  };
}

function freshReport(name) {
  const file = join(root, 'test-results', name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
