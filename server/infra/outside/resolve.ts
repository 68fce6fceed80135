import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode } from '#server/infra/errorCode.ts';
import { OutsideFault } from './faults.ts';

/** All addresses of a name; none if the name does not exist. An address resolves to itself. */
export type Resolve = (
  host: string,
  how: { listed: boolean; signal: AbortSignal },
) => Promise<readonly string[]>;

const tryMs = 2000;
const none = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);

/**
 * Queries DNS directly. The system's lookup would also read the hosts file and try search domains, and a slow lookup
 * blocks a thread that password hashing needs; it is used only for names that the operator listed.
 */
export const resolve: Resolve = async (host, { listed, signal }) => {
  if (isIP(host)) return [host];
  if (listed) return (await lookup(host, { all: true }).catch(nothing)).map(found => found.address);
  const resolver = new Resolver({ timeout: tryMs, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.all([
      resolver.resolve4(host).catch(nothing),
      resolver.resolve6(host).catch(nothing),
    ]);
    return [...v6, ...v4];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

function nothing(error: unknown): never[] {
  if (none.has(errorCode(error) ?? '')) return [];
  throw new OutsideFault('The host name could not be resolved. Try again in a minute.', {
    cause: error,
  });
}
