import { conclude, lint, sum, typecheck, unitTests } from './stages.mjs';

/** Quick feedback while working: types, lint, and the tests that need no server. */
export async function checkAll(runtime) {
  const checks = await Promise.all([typecheck(runtime), lint(runtime)]);
  conclude(sum([...checks, await unitTests(runtime, ['--project', 'pure'])]));
}
