import { registerHooks } from 'node:module';

/** What stands in for the modules that keep a history, so that a server is measured without. */
const stubs: Record<string, string> = {
  '/server/stateHistory/keepHistory.ts':
    'export const keepHistory = async () => {}; export const historyOf = () => undefined;',
  '/rules/state/changeBy.ts': 'export const changeBy = () => undefined;',
  '/rules/state/stateNumbers.ts':
    'export const numbersSaid = () => undefined; export const dividedNumbers = () => ({ kept: new Map(), left: [] });',
};

registerHooks({
  load(url, context, next) {
    const stub = Object.keys(stubs).find(path => url.endsWith(path));
    if (stub === undefined) return next(url, context);
    return { format: 'module', source: stubs[stub] ?? '', shortCircuit: true };
  },
});
