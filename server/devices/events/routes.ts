import { listDeviceEvents } from '#contract/deviceState.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { eventHoursChore } from './eventHours.ts';
import { eventsOf } from './readEvents.ts';
import { eventPartitions } from './storeEvents.ts';
import { wipeEvents } from './wipeEvents.ts';

export const deviceEvents: Slice = {
  tables: {
    device_events: 'An event sent by a device.',
    event_hours: 'The number of events with a name that the devices of a class sent in an hour.',
  },
  idPrefixes: ['evt'],
  routes: [on(listDeviceEvents, call => eventsOf(call))],
  wipesReleased: wipeEvents,
  partitions: [eventPartitions],
  chores: [eventHoursChore],
};
