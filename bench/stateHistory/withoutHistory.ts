import { registerHooks } from 'node:module';

const replaced = '/server/stateHistory/keepHistory.ts';
/** Stands in for what keeps a history, so that a server is measured without. */
const stub = 'export const keepHistory = async () => {}; export const historyOf = () => undefined;';

registerHooks({
  load: (url, context, next) =>
    url.endsWith(replaced) ? { format: 'module', source: stub, shortCircuit: true } : next(url, context),
});
