import { CallFailed } from '#contract/client.ts';

/**
 * Fails if a signature was made by another key or over another text. The server checks again once it has read the file;
 * a browser without Ed25519 leaves the check to the server.
 */
export async function checkSignature(publicKey: string, signature: string, text: string): Promise<void> {
  const key = await crypto.subtle
    ?.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify'])
    .catch(() => undefined);
  if (!key) return;
  const signed = new TextEncoder().encode(text);
  if (await crypto.subtle.verify('Ed25519', key, bytesOf(signature), signed)) return;
  throw new CallFailed(
    { reason: 'INVALID_FIELDS', message: '', fields: { value: 'SIGNATURE_INVALID' } },
    { status: 422 },
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}
