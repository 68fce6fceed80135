import { proxyBodyBytesMax, proxySockets } from '#contract/proxyRoute.ts';

/** What one call of a back end may take. */
export interface ProxyLimits {
  /** Until a connection stands, its TLS handshake included. */
  connectMs: number;
  /** Without anything sent or received, before the headers of the answer and after them. */
  idleMs: number;
  /** The same of an event stream or a WebSocket. */
  streamIdleMs: number;
  /** Until the second side of a WebSocket is closed after the first. */
  closeMs: number;
  /** How often whoever has a stream open is asked again for the right to it. */
  recheckMs: number;
  bodyBytesMax: number;
  sockets: { max: number; waitingMax: number };
}

export const proxyLimits: ProxyLimits = {
  connectMs: 5_000,
  idleMs: 30_000,
  streamIdleMs: 600_000,
  closeMs: 5_000,
  recheckMs: 30_000,
  bodyBytesMax: proxyBodyBytesMax,
  sockets: proxySockets,
};
