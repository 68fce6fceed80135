/** Of one connection (RFC 9110), so not of the next. `Expect` is answered by our own server. */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'host', 'content-length'],
];

/** Credentials of the platform, and what a back end could take for our word on who calls, how and for what. */
const ours = [
  ...['authorization', 'cookie', 'signature', 'signature-input', 'content-digest'],
  ...['forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'via'],
  ...['x-http-method', 'x-http-method-override', 'x-method-override', 'x-original-url', 'x-rewrite-url'],
];

const dropped = new Set([...ofConnection, ...ours]);
const droppedPrefixes = ['x-mooring-', 'x-forwarded-', 'proxy-', 'sec-websocket-'];
/** Of a WebSocket, which is between the app and the back end. */
const ofWebSocket = /^sec-websocket-(key|version|protocol|extensions)$/;

export interface KeptHeaders {
  /** Name, value, name, value. */
  kept: string[];
  /** The names of those that do not leave. */
  dropped: string[];
  via: string[];
}

/** What of an app's headers leaves, from `rawHeaders`. What `Connection` names is of the connection as well. */
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

/** Many servers take `x_mooring_user` for `x-mooring-user`. */
function isKept(name: string, named: ReadonlySet<string> | undefined, isUpgrade: boolean): boolean {
  const read = name.includes('_') ? name.replaceAll('_', '-') : name;
  if (dropped.has(read) || named?.has(name)) return false;
  if (isUpgrade && ofWebSocket.test(name)) return true;
  return !droppedPrefixes.some(prefix => read.startsWith(prefix));
}

/** Undefined: it names none, as most do. */
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
