import { namedByConnection } from './requestHeaders.ts';

const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'transfer-encoding',
  'trailer',
  'te',
  'upgrade',
  'http2-settings',
];

/** Headers that would affect everything served from our own origin: cookies, origin-wide policies, workers. */
const ofOrigin = [
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'expect-ct',
  'public-key-pins',
  'public-key-pins-report-only',
  'nel',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'origin-agent-cluster',
  'accept-ch',
  'critical-ch',
  'set-login',
  'speculation-rules',
  'use-as-dictionary',
  'secure-session-registration',
  'sec-session-registration',
  // Leads a browser elsewhere without a redirect's status, which the app would see.
  'refresh',
];

/** Set by the platform itself. */
const ours = ['content-security-policy', 'content-security-policy-report-only', 'x-request-id'];
const dropped = new Set([...ofConnection, ...ofOrigin, ...ours]);

export interface KeptAnswer {
  /** Alternating names and values. */
  headers: string[];
  contentType: string;
  hasLength: boolean;
}

/**
 * The headers of a back end's answer that reach the app; undefined if they state its length in two ways, one of which
 * must be wrong.
 */
export function keptAnswer(raw: readonly (Buffer | string)[]): KeptAnswer | undefined {
  const texts = raw.map(part => (typeof part === 'string' ? part : part.toString('latin1')));
  const named = namedByConnection(texts);
  const found: KeptAnswer = { headers: [], contentType: '', hasLength: false };
  let isChunked = false;
  for (let i = 0; i + 1 < texts.length; i += 2) {
    const name = (texts[i] ?? '').toLowerCase();
    const value = texts[i + 1] ?? '';
    if (name === 'transfer-encoding') isChunked = true;
    if (dropped.has(name) || name.startsWith('access-control-') || named?.has(name)) continue;
    if (name === 'content-length') found.hasLength = true;
    if (name === 'content-type') found.contentType = value.trim().toLowerCase();
    found.headers.push(name, value);
  }
  return isChunked && found.hasLength ? undefined : found;
}

/** A page that runs with our origin could call the platform as its user. */
export const isMarkup = (contentType: string) => /^(text\/html|[^;]*\bxml\b|[^;]*\+xml|$)/.test(contentType);
