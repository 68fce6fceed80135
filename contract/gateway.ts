import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const Gateway = z.object({
  /** MQTT 3.1.1 over TCP; absent if it is not enabled. */
  mqtt: z.object({ host: z.string(), port: z.number().int(), tls: z.boolean() }).optional(),
  /** MQTT over WebSocket, subprotocol `mqtt`. */
  websocketUrl: z.string(),
  /** For devices without MQTT; append the paths of the reference. */
  httpUrl: z.string(),
});
export type Gateway = z.output<typeof Gateway>;

export const readGateway = endpoint('readGateway', 'GET /gateway', {
  summary: 'Returns the addresses that devices connect to.',
  access: 'public',
  answer: Gateway,
});
