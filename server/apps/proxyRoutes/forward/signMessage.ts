import { createHash, createHmac, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { SignatureAlgorithm } from '#contract/proxyRoute.ts';

/** Seconds for which a signature is valid. */
const validS = 300;

export interface Signer {
  keyId: string;
  algorithm: SignatureAlgorithm;
  key: KeyObject;
}

/**
 * Signs a request according to RFC 9421: its method, its whole URL and the given headers. While keys are being rotated,
 * it has the signatures of both keys under two labels, so that a back end that knows either key can verify it.
 */
export function signMessage(
  { method, url, headers }: { method: string; url: string; headers: readonly (readonly [string, string])[] },
  signers: readonly Signer[],
  now: Date,
): [name: string, value: string][] {
  const createdS = Math.floor(now.getTime() / 1000);
  let names = '"@method" "@target-uri"';
  let covered = `"@method": ${method}\n"@target-uri": ${url}\n`;
  for (const [name, value] of headers) {
    names += ` "${name}"`;
    covered += `"${name}": ${value}\n`;
  }
  const when = `created=${createdS};expires=${createdS + validS};nonce="${randomUUID()}"`;
  const inputs: string[] = [];
  const signatures: string[] = [];
  for (const [at, { keyId, algorithm, key }] of signers.entries()) {
    const label = at === 0 ? 'mooring' : 'previous';
    const params = `(${names});${when};keyid="${keyId}";alg="${algorithm}"`;
    const base = `${covered}"@signature-params": ${params}`;
    inputs.push(`${label}=${params}`);
    signatures.push(`${label}=:${signatureOf(base, algorithm, key)}:`);
  }
  return [
    ['signature-input', inputs.join(', ')],
    ['signature', signatures.join(', ')],
  ];
}

function signatureOf(base: string, algorithm: SignatureAlgorithm, key: KeyObject): string {
  if (algorithm === 'hmac-sha256') return createHmac('sha256', key).update(base, 'latin1').digest('base64');
  return sign(null, Buffer.from(base, 'latin1'), key).toString('base64');
}

/** According to RFC 9530. */
export function contentDigest(body: Buffer): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
