import { listConnections, readPresence } from '#contract/device.ts';
import { on } from '#server/endpoints/route.ts';
import type { Slice } from '#server/slice.ts';
import { presencePartitions } from './keepPresence.ts';
import { connectionsOf, presenceOf } from './readPresence.ts';

export const presence: Slice = {
  tables: {
    device_presence: 'Whether a device is connected, and marks of what it last did.',
    device_connections: 'An open connection of a device.',
    presence_changes: 'A moment when a device came or went.',
  },
  platformTables: {
    gateways: 'A running gateway and its lease: when that is over its connections are as well.',
  },
  idPrefixes: ['gtw'],
  partitions: [presencePartitions],
  routes: [on(listConnections, ({ db, row }) => connectionsOf(db, row)), on(readPresence, presenceOf)],
};
