import { registerHooks } from 'node:module';

const replaced = '/server/stateHistory/historyOf.ts';

/** What stands in for the module that makes a history of a report, so that a server without it can be measured. */
const stubs: Record<string, string> = {
  /** No numbers, only what a report changed: smart modules read that. */
  numbers: `
    import { changeBy } from '#rules/state/changeBy.ts';
    export const historyOf = ({ projectId, deviceId, at, before, said }) =>
      ({ projectId, deviceId, at, change: changeBy(before, said) });`,
  /** No row at all. */
  everything: 'export const historyOf = ({ projectId, deviceId, at }) => ({ projectId, deviceId, at });',
};

const source = stubs[process.env.BENCH_WITHOUT ?? ''];
if (source === undefined) throw new Error(`BENCH_WITHOUT is one of ${Object.keys(stubs).join(', ')}.`);

registerHooks({
  load: (url, context, next) =>
    url.endsWith(replaced) ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
