import { type Client, createClient } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { createKey, type Key } from '#contract/key.ts';
import { type SignedIn, unique, type World } from './world.ts';

/** A caller of the service API with a key, or with something else in its place. */
export interface BackEnd {
  client: Client;
  fetch: typeof fetch;
}

/** A key of a project, and a client of the service API that uses it. */
export async function aKey(
  world: World,
  owner: SignedIn,
  { projectId, ...given }: { projectId: string } & Partial<BodyOf<typeof createKey>>,
): Promise<BackEnd & { key: Key; secret: string }> {
  const body = { name: unique('key'), ...given };
  const { secret = '', ...key } = await owner.client.call(createKey, { params: { projectId }, body });
  return { key, secret, ...aBackEnd(world, secret) };
}

/** `headers` are added to every call, as a proxy would. */
export function aBackEnd(world: World, secret: string, headers: Record<string, string> = {}): BackEnd {
  const send: typeof fetch = (url, init) => {
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries({ authorization: `Bearer ${secret}`, ...headers }))
      all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };
  return { fetch: send, client: createClient({ baseUrl: `${world.url}/service/v1`, fetch: send }) };
}
