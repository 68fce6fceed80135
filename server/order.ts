/**
 * The neighborhoods of the server, from the doors down to the ground, and what each is about. A neighborhood imports only
 * from those below it; `docs/architecture.md` draws this list, and `test/architecture/order.test.ts` holds the imports
 * against it. What must go upwards goes over the bus or by a field of `Slice`.
 */
export const neighborhoods = {
  doors: 'who comes in: the device gateway, the three APIs, files, the reference',
  projects: 'a project as a whole: projects, team, statistics, log and sample',
  modules: 'automation: module types, rules, actions, schedules, webhooks, runs, replay',
  apps: 'apps and back ends: apps, API keys, event streams, proxy routes',
  people: 'end users, their homes, and what they see of devices',
  devices: 'a device: keys, presence, state, history, events, commands, alerts, the fleet',
  firmware: 'components, bundles, channels, the targets of devices, rollouts',
  classes: 'what a kind of device is and may say: schemas, frames, key-value pairs',
  accounts: 'developers, access tokens, organizations',
  mail: 'templates, sending, the outbox',
  api: 'the one pipeline of every call: endpoints, access, sessions, logs, pages, files',
  infra: 'knows no product: database, bus, jobs, storage, outgoing requests, config',
} as const;
