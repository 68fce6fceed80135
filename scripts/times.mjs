// Where the time of a run goes, so that a run that has become slow says what to look at.

const slowestMax = 10;

/** A stage's result together with how long the stage took. */
export async function timed(name, work) {
  const startedAt = performance.now();
  const result = await work();
  return { ...result, stages: [{ name, ms: performance.now() - startedAt }] };
}

/** Prints how long the run, each of its stages, of which some run side by side, and the slowest test files took. */
export function printTimes({ stages, files }) {
  print('stages', [...stages, { name: 'the whole run', ms: process.uptime() * 1000 }]);
  print('slowest files', files.toSorted((a, b) => b.ms - a.ms).slice(0, slowestMax));
}

function print(title, times) {
  if (times.length === 0) return;
  console.log(`${title}:`);
  for (const { name, ms } of times) console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
}

/** The test files of a report of Vitest. */
export const unitFiles = (testResults, nameOf) =>
  testResults.map(({ name, startTime, endTime }) => ({ name: nameOf(name), ms: endTime - startTime }));

/** The test files of a report of Playwright: the sum of their journeys, which may have run in several workers. */
export const journeyFiles = suites =>
  suites.map(suite => ({ name: `e2e/${suite.file}`, ms: durationOf(suite) }));

function durationOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(spec => spec.tests.flatMap(test => test.results.map(result => result.duration)));
  return [...own, ...suites.map(durationOf)].reduce((a, b) => a + b, 0);
}
