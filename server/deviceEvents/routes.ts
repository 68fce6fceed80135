import { listDeviceEvents } from '#contract/deviceState.ts';
import { sql } from '#server/db/sql.ts';
import { on } from '#server/endpoints/route.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';
import type { Slice } from '#server/slice.ts';
import { eventHoursChore } from './eventHours.ts';
import { eventPartitions } from './keepEvents.ts';
import { eventsOf } from './readEvents.ts';

const alertChore: Chore = {
  name: 'alerts',
  deletes: now => sql`
    delete from alerts where (project_id, id) in (
      select old.project_id, old.id from projects p cross join lateral (
        select a.project_id, a.id from alerts a
        where a.project_id = p.id and a.ts < ${now}::timestamptz - make_interval(days => p.alert_retention_period)
        limit ${batch}) as old
      limit ${batch}) returning 1`,
};

export const deviceEvents: Slice = {
  tables: {
    device_events: 'An event sent by a device.',
    alerts: 'An alert: an event that needs attention.',
    event_hours: 'How many events of a name the devices of a class sent in an hour.',
  },
  idPrefixes: ['evt', 'alr'],
  routes: [on(listDeviceEvents, call => eventsOf(call))],
  partitions: [eventPartitions],
  chores: [alertChore, eventHoursChore],
};
