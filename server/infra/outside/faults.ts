import { Problem } from '#contract/problem.ts';
import { errorCode } from '#server/infra/errorCode.ts';

/** An outgoing call that was allowed but failed. Its message is a sentence for the person who entered the URL. */
export class OutsideFault extends Error {
  override name = 'OutsideFault';
}

/** A URL that must not be called. Says why, but never what exists there. */
export function refused(why: string): Problem {
  return new Problem('ADDRESS_REFUSED', {
    message: `This address cannot be called. ${why}`,
    context: { address: why },
  });
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The server closed the connection.',
  EPIPE: 'The server closed the connection.',
  EHOSTUNREACH: 'There is no network route to the server.',
  ENETUNREACH: 'There is no network route to the server.',
  ETIMEDOUT: 'The server does not answer.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not signed by an authority this installation trusts.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not signed by an authority this installation trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not signed by an authority this installation trusts.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate is not signed by an authority this installation trusts.',
  ERR_STREAM_PREMATURE_CLOSE: 'The server closed the connection.',
  HPE_HEADER_OVERFLOW: 'The response headers are too large.',
};

/** Describes a network or protocol error in words; returns any other error unchanged. */
export function faultOf(error: unknown): unknown {
  if (error instanceof Problem || error instanceof OutsideFault) return error;
  const code = errorCode(error);
  if (code === undefined) return error;
  return new OutsideFault(sentences[code] ?? sentenceByKind(code), { cause: error });
}

function sentenceByKind(code: string): string {
  if (code.startsWith('HPE_')) return 'The server does not answer in HTTP.';
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT'))
    return 'The response cannot be decompressed.';
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'The TLS handshake failed.';
  return `The server cannot be reached (${code}).`;
}
