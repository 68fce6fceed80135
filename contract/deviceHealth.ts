import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

export const healthVerdicts = ['ok', 'warn', 'fail', 'unknown'] as const;

export const DeviceHealth = z.object({
  /** The layers from the platform to the device; start with the first one that is not healthy. */
  layers: z.array(
    z.object({
      id: z.enum([
        'gateway',
        'suspended',
        'key',
        'connected',
        'messages',
        'subscriptions',
        'rate',
        'schema',
        'commands',
      ]),
      verdict: z.enum(healthVerdicts),
      text: z.string(),
      /** What to do about it. */
      advice: z.string().optional(),
      at: time.optional(),
    }),
  ),
});
export type DeviceHealth = z.output<typeof DeviceHealth>;

export const checkDevice = endpoint('checkDevice', 'GET /devices/:deviceId/health', {
  summary: 'Checks each layer between the platform and a device, and reports the one at fault.',
  access: { role: 'viewer', of: 'device' },
  answer: DeviceHealth,
  reasons: ['DEVICE_NOT_FOUND'],
});
