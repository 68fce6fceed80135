import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rangeMoment, time } from './shapes.ts';

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const OpenConnection = z.object({
  /** Increases across all connections of the platform: a later connection has a greater number. */
  number: z.number().int(),
  clientId: z.string(),
  protocol: z.enum(['mqtt', 'websocket', 'http']),
  address: z.string(),
  since: time,
  /** Opened with a temporary key, as the simulator does. */
  temporary: z.boolean(),
});
export type OpenConnection = z.output<typeof OpenConnection>;

export const listConnections = endpoint('listConnections', 'GET /devices/:deviceId/connections', {
  summary: 'Lists the open connections of a device.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: z.array(OpenConnection),
  reasons,
  capability: 'canAdmin',
});

export const Presence = z.object({
  /** Whether the device was connected at the start of the requested range. */
  connectedAtBegin: z.boolean(),
  /** Every later change, oldest first. */
  changes: z.array(z.object({ at: time, connected: z.boolean(), reason: z.string().optional() })),
  /** True: there were more changes than one answer holds; the oldest are left out. */
  truncated: z.boolean(),
});
export type Presence = z.output<typeof Presence>;

export const readPresence = endpoint('readPresence', 'GET /devices/:deviceId/presence', {
  summary: 'Returns the periods in which a device was connected, within a time range of the last 30 days.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject({ begin: rangeMoment, end: rangeMoment }),
  answer: Presence,
  reasons: [...reasons, 'INVALID_RANGE'],
  capability: 'canAdmin',
});
