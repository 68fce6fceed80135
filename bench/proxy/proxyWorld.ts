import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createApp } from '#contract/app.ts';
import { createClient } from '#contract/client.ts';
import { createKey } from '#contract/key.ts';
import { createProject } from '#contract/project.ts';
import { readProxyRouteFigures } from '#contract/proxyCall.ts';
import { createProxyRoute } from '#contract/proxyRoute.ts';
import { bringUser, mintUserSession } from '#contract/service.ts';
import { newcomer } from '#test/newcomer.ts';
import type { ServerProcess } from '#test/serverProcess.ts';

/** Enough to use all slots of a route, of which each user gets only a share. */
const users = 8;

/** A project with an app, signed-in users, and routes to a back end. */
export interface ProxyWorld {
  /** The path of a route: `/app/v1/…/appProxy/{name}`. */
  pathOf(route: string): string;
  /** That of each user in turn. */
  authorization(): string;
  /** The number of a route's sockets that are in use or waited for. */
  heldBy(route: string): Promise<number>;
}

export async function aProxyWorld(
  { url }: ServerProcess,
  targetUrl: string,
  routes: readonly string[],
): Promise<ProxyWorld> {
  const { client } = await newcomer(url, 'torture@example.com');
  const { id: projectId } = await client.call(createProject, { body: { name: 'Proxy' } });
  const params = { projectId };
  const { id: appId } = await client.call(createApp, { params, body: { id: 'home' } });
  const { secret } = await client.call(createKey, { params, body: { name: 'users', canHandleBYOU: true } });
  const headers = { authorization: `Bearer ${secret}` };
  const service = createClient({
    baseUrl: `${url}/service/v1`,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
  });
  const tokens: string[] = [];
  for (let n = 0; n < users; n += 1) {
    const user = { ...params, externalId: `user-${n}` };
    await service.call(bringUser, { params: user, body: { name: `User ${n}` } });
    tokens.push((await service.call(mintUserSession, { params: user, body: { appId } })).accessToken);
  }
  let calls = 0;
  const ids = new Map<string, string>();
  for (const name of routes) {
    const sourcePath = `/${name}`;
    const body = { projectId, resource: 'project' as const, sourcePath, targetUrl: targetUrl + sourcePath };
    ids.set(name, (await client.call(createProxyRoute, { body })).id);
  }
  return {
    pathOf: name => `/app/v1/${appId}@${projectId}/projects/${projectId}/appProxy/${name}`,
    authorization: () => `Bearer ${tokens[calls++ % tokens.length]}`,
    async heldBy(name) {
      const figures = await client.call(readProxyRouteFigures, { params: { routeId: ids.get(name) ?? '' } });
      return figures.sockets.inUse + figures.sockets.waiting;
    },
  };
}

/** Resident memory of the server, in MB. */
export function memoryMb({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** The number of open sockets of the server. */
export function socketsOf({ child }: ServerProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  const isSocket = (fd: string) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}
