/** Headers of a single connection (RFC 9110), which are not forwarded. Our own server handles `Expect`. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'host',
  'content-length',
];

/** Credentials of the platform, and headers that a back end could mistake for our statements about a call. */
const ours = [
  'authorization',
  'cookie',
  'signature',
  'signature-input',
  'content-digest',
  'via',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-rewrite-url',
  'x-host',
];

const dropped = new Set([...ofConnection, ...ours]);
const droppedPrefixes = ['x-mooring-', 'x-original-', 'x-envoy-', 'cf-', 'proxy-', 'sec-websocket-'];
/**
 * What proxies say about a client: its address, the user or certificate they recognized, how it reached them. Each has
 * headers of its own for that, so they are recognized by what their names say.
 */
const ofProxies =
  /^(x-)?(forwarded|remote|ssl)(-|$)|(client|connecting|real|originating|cluster|source|user)-?(ip|ipv6|addr(ess)?)$|^(x-)?client-cert/;
/** Headers of a WebSocket between the app and the back end. */
const ofWebSocket = /^sec-websocket-(key|version|protocol|extensions)$/;

export interface KeptHeaders {
  /** Alternating names and values. */
  kept: string[];
  /** Names of the headers that are not forwarded. */
  dropped: string[];
  via: string[];
}

/**
 * The headers of an app that are forwarded, from `rawHeaders`. Headers named by `Connection` belong to the connection
 * as well.
 */
export function keptHeaders(raw: readonly string[], { isUpgrade = false } = {}): KeptHeaders {
  const found: KeptHeaders = { kept: [], dropped: [], via: [] };
  const named = namedByConnection(raw);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    if (name === 'via') found.via.push(value);
    else if (isKept(name, named, isUpgrade)) found.kept.push(name, value);
    else found.dropped.push(name);
  }
  return found;
}

/** Many servers treat `x_mooring_user` as `x-mooring-user`. */
function isKept(name: string, named: ReadonlySet<string> | undefined, isUpgrade: boolean): boolean {
  const read = name.includes('_') ? name.replaceAll('_', '-') : name;
  if (dropped.has(read) || named?.has(name)) return false;
  if (isUpgrade && ofWebSocket.test(name)) return true;
  return !droppedPrefixes.some(prefix => read.startsWith(prefix)) && !ofProxies.test(read);
}

/** Undefined if `Connection` names no headers, as in most calls. */
export function namedByConnection(raw: readonly string[]): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (name.length !== 'connection'.length || name.toLowerCase() !== 'connection') continue;
    const value = raw[i + 1] ?? '';
    if (/^(keep-alive|close)$/i.test(value)) continue;
    named ??= new Set();
    for (const one of value.split(',')) named.add(one.trim().toLowerCase());
  }
  return named;
}
