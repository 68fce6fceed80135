import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Problem } from '#contract/problem.ts';
import type { ProxyReachability } from '#contract/proxyCall.ts';
import type { ProxyRoute } from '#contract/proxyRoute.ts';
import { dayMs } from '#rules/time/durations.ts';
import { isPublic } from '#server/infra/outside/addresses.ts';
import { type DialTarget, lookupOf } from '#server/infra/outside/dial.ts';
import { faultOf, OutsideFault } from '#server/infra/outside/faults.ts';
import { portOf } from '#server/infra/outside/ports.ts';
import type { Platform } from '#server/infra/platform.ts';
import { knownBackEndOf } from './forward/backEnd.ts';

/** Resolves a target and connects to it. Errors are part of the answer, in words. */
export async function reachabilityOf(
  platform: Platform,
  { id, targetUrl }: Pick<ProxyRoute, 'id' | 'targetUrl'>,
  now: Date,
): Promise<ProxyReachability> {
  const untilMs = knownBackEndOf(platform, id)?.breaker.openUntil(now.getTime());
  const known: ProxyReachability = {
    checkedAt: now.toISOString(),
    addresses: [],
    breaker:
      untilMs === undefined ? { state: 'closed' } : { state: 'open', until: new Date(untilMs).toISOString() },
  };
  try {
    const target = await platform.outside.findTarget(targetUrl);
    known.addresses = target.addresses.map(address => ({ address, isPublic: isPublic(address) }));
    const certificate = await certificateOf(target, platform.proxyLimits.connectMs, now);
    return { ...known, ...certificate };
  } catch (error) {
    return { ...known, fault: faultText(error) };
  }
}

function faultText(error: unknown): string {
  const fault = faultOf(error instanceof AggregateError ? (error.errors[0] ?? error) : error);
  if (fault instanceof OutsideFault || fault instanceof Problem) return fault.message;
  throw error;
}

/** The certificate of an https target, even if it is not trusted. */
async function certificateOf(
  { url, host, addresses, ca }: DialTarget,
  connectMs: number,
  now: Date,
): Promise<Pick<ProxyReachability, 'certificate' | 'fault'>> {
  const where = { host, port: portOf(url) ?? 443, lookup: lookupOf(addresses), autoSelectFamily: true };
  if (url.protocol === 'http:') {
    (await connected(connect(where), 'connect', connectMs)).destroy();
    return {};
  }
  const servername = isIP(host) ? '' : host;
  const socket = await connected(
    // No data is sent: the connection is only for reading the certificate, especially an invalid one.
    connectTls({ ...where, servername, rejectUnauthorized: false, ...(ca !== undefined && { ca }) }),
    'secureConnect',
    connectMs,
  );
  const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
  const { authorized, authorizationError } = socket;
  socket.destroy();
  const validUntil = new Date(until);
  const isKnown = !Number.isNaN(validUntil.getTime());
  return {
    ...(isKnown && {
      certificate: {
        subject: nameOf(subject),
        issuer: nameOf(issuer),
        validUntil: validUntil.toISOString(),
        daysLeft: Math.floor((validUntil.getTime() - now.getTime()) / dayMs),
      },
    }),
    ...(!authorized && { fault: faultText(withCode(authorizationError)) }),
  };
}

const nameOf = (name: { CN?: string | string[]; O?: string | string[] } | undefined) =>
  String(name?.CN ?? name?.O ?? '');

/** Node sometimes returns only the code, and sometimes the error. */
function withCode(error: unknown): Error {
  return error instanceof Error ? error : Object.assign(new Error(String(error)), { code: String(error) });
}

async function connected<S extends Socket | TLSSocket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  connectMs: number,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  const late = new OutsideFault('The server does not answer.');
  const timer = setTimeout(() => socket.destroy(late), connectMs);
  socket.once(event, () => resolve(socket)).on('error', reject);
  return promise.finally(() => clearTimeout(timer));
}
