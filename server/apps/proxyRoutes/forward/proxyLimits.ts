import { proxyBodyBytesMax, proxyBodyPace, proxyShares, proxySockets } from '#contract/proxyRoute.ts';
import { minuteMs } from '#rules/time/durations.ts';

declare module '#server/infra/platform.ts' {
  interface Platform {
    /** Limits on calls that proxy routes forward to back ends. */
    proxyLimits: ProxyLimits;
  }
}

/** The limits of one call to a back end. */
export interface ProxyLimits {
  /** For connecting, including the TLS handshake. */
  connectMs: number;
  /** Without any data in either direction, both before and after the headers of the answer. */
  idleMs: number;
  /** The same for an event stream or a WebSocket. */
  streamIdleMs: number;
  /** For the second side of a WebSocket to close after the first. */
  closeMs: number;
  /** How often the user of an open stream is checked for the right to it. */
  recheckMs: number;
  bodyBytesMax: number;
  /** See `proxyBodyPace`. */
  bodyPace: { graceMs: number; bytesPerSMin: number; totalMs: number };
  sockets: { max: number; waitingMax: number };
  shares: { user: number; home: number };
}

export const proxyLimits: ProxyLimits = {
  connectMs: 5_000,
  idleMs: 30_000,
  streamIdleMs: 10 * minuteMs,
  closeMs: 5_000,
  recheckMs: 30_000,
  bodyBytesMax: proxyBodyBytesMax,
  bodyPace: proxyBodyPace,
  sockets: proxySockets,
  shares: proxyShares,
};
