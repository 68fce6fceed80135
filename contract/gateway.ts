import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const Gateway = z.object({
  /** MQTT 3.1.1 on TCP; absent where none listens. */
  mqtt: z.object({ host: z.string(), port: z.number().int(), tls: z.boolean() }).optional(),
  /** The same over WebSocket, subprotocol `mqtt`. */
  websocketUrl: z.string(),
  /** For devices without MQTT; the paths of the reference follow it. */
  httpUrl: z.string(),
});
export type Gateway = z.output<typeof Gateway>;

export const readGateway = endpoint('readGateway', 'GET /gateway', {
  summary: 'Where devices connect.',
  access: 'public',
  answer: Gateway,
});
