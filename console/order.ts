/**
 * The neighborhoods of the console, from the frame down, and what each is about. A neighborhood imports only from those
 * below it (`test/architecture/order.test.ts`). `ui` and `core` know no noun: a word or a link of one that others need
 * stands there.
 */
export const neighborhoods = {
  frame: 'the routes, and what surrounds every screen',
  accounts: 'signing in, the own account',
  projects: 'the list of projects, a project, its team, settings, templates and logs of calls',
  modules: 'smart modules, rules, replay',
  apps: 'apps, API keys, proxy routes',
  people: 'end users, homes, sign-in methods',
  devices: 'devices, classes, alerts, history, the fleet',
  firmware: 'components, bundles, channels, rollouts',
  logs: 'what log screens share, log requests',
  guide: 'the first steps, the simulators',
  ui: 'the patterns of every screen',
  core: 'calls and their cache, the live link, the session, the address',
} as const;
