import { Problem } from '#contract/problem.ts';
import { errorCode } from '#server/errorCode.ts';

/** A call to the outside that was allowed, but came to nothing. Its message is a sentence for whoever gave the address. */
export class OutsideFault extends Error {
  override name = 'OutsideFault';
}

/** An address that may not be called. Says why, and never what is or is not there. */
export function refused(why: string): Problem {
  return new Problem('ADDRESS_REFUSED', {
    message: `This address may not be called. ${why}`,
    context: { address: why },
  });
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'It refuses the connection.',
  ECONNRESET: 'It broke the connection off.',
  EPIPE: 'It broke the connection off.',
  EHOSTUNREACH: 'There is no way to it from here.',
  ENETUNREACH: 'There is no way to it from here.',
  ETIMEDOUT: 'Nothing answers there.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is signed by nobody this server trusts.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is signed by nobody this server trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is signed by nobody this server trusts.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is signed by nobody this server trusts.',
  ERR_STREAM_PREMATURE_CLOSE: 'It broke the connection off.',
  HPE_HEADER_OVERFLOW: 'The headers of its answer are too large.',
};

/** What went wrong on the way, in words; the error itself where it is no fault of the way. */
export function faultOf(error: unknown): unknown {
  if (error instanceof Problem || error instanceof OutsideFault) return error;
  const code = errorCode(error);
  if (code === undefined) return error;
  return new OutsideFault(sentences[code] ?? sentenceByKind(code), { cause: error });
}

function sentenceByKind(code: string): string {
  if (code.startsWith('HPE_')) return 'It does not answer in HTTP.';
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT')) return 'Its answer cannot be unpacked.';
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'It does not speak TLS as it should.';
  return `It cannot be reached (${code}).`;
}
