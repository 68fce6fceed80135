import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { privateTargets } from '#server/infra/outside/addresses.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import { createOutside, type OutsideRequest } from '#server/infra/outside/fetchOutside.ts';
import { aCertificate } from './certificate.ts';

export const certificate = aCertificate(['issuer.example', 'other.example']);

/** Outgoing requests with names resolved by the test; only loopback is allowed by default. */
export function anOutside({
  names = {},
  allowed = ['127.0.0.1'],
  own = [],
}: {
  names?: Record<string, string[]>;
  allowed?: string[];
  own?: string[];
} = {}) {
  return createOutside({
    allowed: privateTargets(allowed),
    own: () => own,
    resolve: async host => names[host] ?? (/^[\d.]+$|:/.test(host) ? [host] : []),
    ca: certificate.cert,
  });
}

export const small: OutsideRequest = { bytesMax: 10_000 };
export const local = {
  'issuer.example': ['127.0.0.1'],
  'other.example': ['127.0.0.1'],
  'third.example': ['127.0.0.1'],
};

export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => expect.fail('expected a refusal, but it was called'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  expect(error.reason).toBe('ADDRESS_REFUSED');
  return (error.context as { address: string }).address;
}

export async function fault(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => expect.fail('expected a fault, but it answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutsideFault)) throw error;
  return error.message;
}

export const text =
  (body: string): RequestListener =>
  (_request, response) =>
    response.end(body);
