import { listConnections, readPresence } from '#contract/presence.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { presencePartitions } from './presenceWriter.ts';
import { findQuietDevicesJob } from './quietDevices.ts';
import { connectionsOf, presenceOf } from './readPresence.ts';

export const presence: Slice = {
  tables: {
    device_presence: 'Whether a device is connected, and marks of its latest activity.',
    device_connections: 'An open connection of a device.',
    presence_changes: 'A moment when a device connected or disconnected.',
  },
  platformTables: {
    gateways: 'A running gateway and its lease; its connections end when the lease expires.',
  },
  idPrefixes: ['gtw'],
  partitions: [presencePartitions],
  jobs: platform => ({ tasks: { findQuietDevices: findQuietDevicesJob(platform) } }),
  schedule: [{ task: 'findQuietDevices', at: '* * * * *' }],
  routes: [on(listConnections, ({ db, row }) => connectionsOf(db, row)), on(readPresence, presenceOf)],
};
