import { conclude, lint, sum, typecheck, unitTests } from './stages.mjs';

/** Quick feedback while working: types, lint, and the tests that need no server. */
export async function checkAll(runtime) {
  const pure = unitTests(runtime, ['--project', 'pure']);
  conclude(sum(await Promise.all([typecheck(runtime), lint(runtime), pure])));
}
