import type { Db } from '#server/infra/db/sql.ts';
import { saveTable } from '#server/modules/data/saveTable.ts';
import { RuleConfig } from '#server/modules/rules/ruleConfig.ts';
import { nextTime } from '#server/modules/schedules/nextTimes.ts';
import { insertModule } from '#server/modules/smartModules/store.ts';
import { hoursAgo } from './makeSamplePast.ts';
import { sampleMadeHoursAgo } from './sampleDevices.ts';

const createdBy = 'Mooring';
/** The time zone of the sample home. */
const night = { cron: '30 22 * * *', timeZone: 'Europe/Oslo' };
const tooWarm = {
  condition: 'state.temperature > data.limits[device.tag].warmest',
  forS: 600,
  actions: [{ kind: 'alert', text: '{{ device.name }} is at {{ state.temperature }} °C' }],
};
const limits = { columns: [], key: 'tag' };

/** Modules that work without calling other servers: limits, a rule that looks them up, and a schedule for the night. */
export async function makeSampleModules(
  db: Db,
  { projectId, now }: { projectId: string; now: Date },
): Promise<void> {
  const madeAt = hoursAgo(now, sampleMadeHoursAgo);
  const common = { projectId, suspended: false, createdBy, now: madeAt };
  await insertModule(db, {
    ...common,
    id: 'comfort-limits',
    moduleType: 'table',
    description: 'How warm each room should be. Rules look up a row by the device’s tag.',
    bulkDataLabel: 'limits',
    config: limits,
  });
  const columns = [
    { name: 'tag', type: 'text' },
    { name: 'coldest', type: 'number' },
    { name: 'warmest', type: 'number' },
  ] as const;
  const rows = [
    ['thermostat-hall', 16, 22],
    ['thermostat-living', 19, 24],
    ['thermostat-kitchen', 17, 23],
    ['thermostat-attic', 5, 25],
  ];
  const table = { columns: [...columns], rows };
  await saveTable(
    db,
    { projectId, id: 'comfort-limits', config: limits },
    { table, now: madeAt, by: createdBy },
  );
  await insertModule(db, {
    ...common,
    id: 'too-warm',
    moduleType: 'rule',
    description: 'Raises an alert when a room has been warmer than its limit for ten minutes.',
    subscribedEvents: ['_state_'],
    deviceClasses: ['thermostat'],
    dataSourceModules: ['comfort-limits'],
    config: RuleConfig.parse(tooWarm),
  });
  await insertModule(db, {
    ...common,
    id: 'night-setback',
    moduleType: 'schedule',
    description: 'Turns the thermostats down for the night.',
    config: {
      ...night,
      devices: { by: 'class', deviceClass: 'thermostat' },
      action: { kind: 'desired', patch: { target: 17 } },
    },
    dueAt: nextTime(night, now),
  });
}
