import { z } from 'zod';
import { Problem, type Reason, reasons } from '#contract/problem.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { OutsideAnswer } from '#server/infra/outside/fetchOutside.ts';
import type { Platform } from '#server/infra/platform.ts';

const documentBytesMax = 256_000;

/** Signatures with a private key. With a shared secret, anyone who has the public key could forge them. */
const signatures = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

const endpoint = z.string().max(2000);
const words = z.array(z.string().max(200)).max(1000);
/** The fields of a discovery document that we use. All others are dropped. */
const Document = z.object({
  issuer: z.string().max(2000),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  response_types_supported: words.optional(),
  id_token_signing_alg_values_supported: words.optional(),
  token_endpoint_auth_methods_supported: words.optional(),
  code_challenge_methods_supported: words.optional(),
  scopes_supported: words.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

const endpointNames = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

const secretWays = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const;

/** A provider as described by its discovery document, with the guarantees that a sign-in relies on. */
export interface Provider extends z.output<typeof Document> {
  /** Never empty, and only algorithms that we accept. */
  id_token_signing_alg_values_supported: string[];
  /** How the client secret is sent. */
  secretWay: (typeof secretWays)[number];
}

/**
 * Reads and checks the discovery document. Not cached, so that a provider that becomes hostile is detected at its next
 * use.
 */
export async function readProvider(platform: Platform, issuer: string): Promise<Provider> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  if (issuer.includes('?')) throw issuerProblem('ISSUER_UNFIT', 'An issuer cannot have a query.');
  const json = await fetchJson(platform, address);
  const { issuer: found } = z.object({ issuer: z.string().max(2000) }).safeParse(json).data ?? {};
  if (found !== undefined && found !== issuer)
    throw issuerProblem('ISSUER_MISMATCH', `It gives the issuer as “${found}”.`, { found });
  const document = Document.safeParse(json);
  if (!document.success) throw unfit(`Its discovery document has no usable ${fieldOf(document.error)}.`);
  return checked(document.data);
}

function checked(document: z.output<typeof Document>): Provider {
  const scheme = document.issuer.startsWith('http:') ? /^https?:\/\//i : /^https:\/\//i;
  const bare = endpointNames.find(name => !scheme.test(document[name] ?? document.token_endpoint));
  if (bare) throw unfit(`Its ${bare} does not start with https://.`);
  const { response_types_supported: types } = document;
  if (types && !types.includes('code')) throw unfit('It does not offer the response type code.');
  const { id_token_signing_alg_values_supported: offered = ['RS256'] } = document;
  const algorithms = offered.filter(one => signatures.test(one));
  if (algorithms.length === 0) throw unfit('It signs ID tokens only with unsupported algorithms.');
  // The default is basic (OpenID Connect Discovery 1.0, section 3).
  const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = document;
  const secretWay = secretWays.find(way => ways.includes(way));
  if (!secretWay) throw unfit('It does not accept a client secret.');
  return { ...document, id_token_signing_alg_values_supported: algorithms, secretWay };
}

/** Fetches JSON of limited size from a URL of the provider. */
export async function fetchJson(platform: Platform, address: string): Promise<unknown> {
  const answer = await platform.outside
    .fetchOutside(address, { headers: { accept: 'application/json' }, bytesMax: documentBytesMax })
    .catch((error: unknown) => {
      throw toIssuerProblem(error, address);
    });
  if (answer.status !== 200) throw issuerProblem('ISSUER_UNREACHABLE', statusSentence(answer));
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.body));
  } catch {
    throw issuerProblem('ISSUER_UNREACHABLE', `The response of ${address} is not JSON.`);
  }
}

function statusSentence({ status, headers, url }: OutsideAnswer): string {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location)
    return `${url} redirects to ${location.slice(0, 500)}, which is not followed. Enter the issuer’s own address.`;
  return `${url} returned status ${status}.`;
}

/** Converts a refused or failed call to a problem about the issuer. */
export function toIssuerProblem(error: unknown, address: string): unknown {
  if (error instanceof OutsideFault)
    return issuerProblem('ISSUER_UNREACHABLE', `${address}: ${error.message}`);
  if (!(error instanceof Problem) || error.reason !== 'ADDRESS_REFUSED') return error;
  const { message, context } = error;
  return new Problem('ADDRESS_REFUSED', {
    message: `${message} (${address.slice(0, 500)})`,
    context,
    fields: { 'config.issuer': 'ADDRESS_REFUSED' },
  });
}

export function issuerProblem(reason: Reason, cause: string, context: Record<string, unknown> = {}): Problem {
  const message = `${reasons[reason][1]} ${cause}`;
  return new Problem(reason, {
    message,
    context: { cause, ...context },
    fields: { 'config.issuer': reason },
  });
}

const unfit = (cause: string) => issuerProblem('ISSUER_UNFIT', cause);

function fieldOf(error: z.ZodError): string {
  return String(error.issues[0]?.path[0] ?? 'content');
}
