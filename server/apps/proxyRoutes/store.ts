import type { BodyOf } from '#contract/endpoint.ts';
import {
  type createProxyRoute,
  type editProxyRoute,
  type ProxyRouteRow as ListedRoute,
  type ProxyRoute,
  proxyRolesDefault,
  proxyRoutesMax,
} from '#contract/proxyRoute.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { Resource } from '#server/api/access/access.ts';
import { checkRoom, findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { type ProxyRouteRow, proxyRouteColumns, toProxyRoute } from './proxyRouteRow.ts';
import type { NewKey, SealedKey } from './signingKeys.ts';

declare module '#server/api/access/access.ts' {
  interface Rows {
    proxyRoute: ProxyRoute;
  }
}

export const proxyRouteResource: Resource<ProxyRoute> = {
  notFound: 'PROXY_ROUTE_NOT_FOUND',
  async find(db, { routeId = '' }, caller) {
    return findInProject(db, caller, {
      columns: proxyRouteColumns(caller.now),
      from: sql`proxy_routes r`,
      alias: 'r',
      where: sql`r.id = ${routeId}`,
      as: toProxyRoute,
    });
  },
};

const orders: Record<string, string> = {
  sourcePath: byName('r.source_path'),
  resource: `array_position(array['project', 'home', 'user', 'device', 'entity'], r.resource)`,
  targetUrl: 'r.target_url',
  createdAt: 'r.created_at',
};

export async function proxyRoutesOf(
  db: Db,
  { projectId, resource }: { projectId: string; resource?: ProxyRoute['resource'] | undefined },
  { page, now }: { page: PageAsked; now: Date },
): Promise<{ items: ListedRoute[]; total: number }> {
  type Counted = Pick<ListedRoute, 'calls' | 'failedCalls'>;
  const since = new Date(now.getTime() - dayMs);
  const sum = (column: Sql) => sql`(
    select coalesce(sum(${column}), 0)::float8 from proxy_route_hours h
    where h.project_id = r.project_id and h.route_id = r.id and h.hour > ${since})`;
  return pageOf(db, {
    columns: sql`${proxyRouteColumns(now)}, ${sum(sql`h.calls`)} as calls, ${sum(sql`h.failed`)} as "failedCalls"`,
    from: sql`proxy_routes r`,
    where: sql`r.project_id = ${projectId} ${resource === undefined ? empty : sql`and r.resource = ${resource}`}
      ${page.search ? sql`and ${contains(sql`r.search`, page.search)}` : empty}`,
    orders,
    key: sql`r.resource, r.id`,
    page,
    as: ({ calls, failedCalls, ...row }: ProxyRouteRow & Counted) => ({
      ...toProxyRoute(row),
      calls,
      failedCalls,
    }),
  });
}

type Place = Pick<ProxyRoute, 'projectId' | 'id'>;

export async function findProxyRoute(
  db: Db,
  { projectId, id }: Place,
  now: Date,
): Promise<ProxyRoute | undefined> {
  const row = await db.one<ProxyRouteRow>(sql`
    select ${proxyRouteColumns(now)} from proxy_routes r where r.project_id = ${projectId} and r.id = ${id}`);
  return row && toProxyRoute(row);
}

/** A route with the secrets of its keys, for matching and signing calls. */
export type KeyedRoute = ProxyRouteRow & { sealed: Buffer; previousSealed: Buffer | null };

export function keyedRoutesOf(db: Db, projectId: string, now: Date): Promise<KeyedRoute[]> {
  return db.many<KeyedRoute>(sql`
    select ${proxyRouteColumns(now)}, r.key_sealed as sealed, r.previous_sealed as "previousSealed"
    from proxy_routes r where r.project_id = ${projectId} order by r.id limit ${proxyRoutesMax}`);
}

export async function insertProxyRoute(
  db: Db,
  given: Omit<BodyOf<typeof createProxyRoute>, 'algorithm'> & {
    id: string;
    key: NewKey;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  const { projectId, key, now } = given;
  await checkRoom(db, projectId, {
    table: 'proxy_routes',
    max: proxyRoutesMax,
    reason: 'TOO_MANY_PROXY_ROUTES' as const,
  });
  await db.run(sql`
    insert into proxy_routes (project_id, id, resource, source_path, target_url, description, suspended, home_ids,
      device_classes, entity_classes, entity_ids, home_roles, web_socket, algorithm, key_id, key_sealed,
      key_created_at, created_at, created_by)
    values (${projectId}, ${given.id}, ${given.resource}, ${given.sourcePath}, ${given.targetUrl},
      ${given.description ?? ''}, ${given.suspended ?? false}, ${given.homeIds ?? []}, ${given.deviceClasses ?? []},
      ${given.entityClasses ?? []}, ${given.entityIds ?? []}, ${given.homeRoles ?? [...proxyRolesDefault]},
      ${given.webSocket ?? false}, ${key.algorithm}, ${key.keyId}, ${key.sealed}, ${now}, ${now}, ${given.createdBy})`);
}

export function updateProxyRoute(db: Db, { projectId, id }: Place, edit: BodyOf<typeof editProxyRoute>) {
  const list = (values: readonly unknown[] | undefined) => values && sql`${values}`;
  const { homeIds, deviceClasses, entityClasses, entityIds, homeRoles } = edit;
  const lists = {
    homeIds: list(homeIds),
    deviceClasses: list(deviceClasses),
    entityClasses: list(entityClasses),
    entityIds: list(entityIds),
    homeRoles: list(homeRoles),
  };
  return updateRow(
    db,
    'proxy_routes',
    { project_id: projectId, id },
    { ...edit, ...lists },
    {
      resource: 'resource',
      sourcePath: 'source_path',
      targetUrl: 'target_url',
      description: 'description',
      suspended: 'suspended',
      homeIds: 'home_ids',
      deviceClasses: 'device_classes',
      entityClasses: 'entity_classes',
      entityIds: 'entity_ids',
      homeRoles: 'home_roles',
      webSocket: 'web_socket',
    },
  );
}

/** The sealed secrets of its keys; the previous one may have expired. */
export function findSealedKeys(
  db: Db,
  { projectId, id }: Place,
): Promise<{ current: SealedKey; previous: SealedKey | null } | undefined> {
  return db
    .one<{ algorithm: SealedKey['algorithm']; keyId: string; sealed: Buffer } & Previous>(sql`
      select algorithm, key_id as "keyId", key_sealed as sealed, previous_algorithm as "previousAlgorithm",
        previous_id as "previousId", previous_sealed as "previousSealed"
      from proxy_routes where project_id = ${projectId} and id = ${id}`)
    .then(row => {
      if (!row) return undefined;
      const { previousAlgorithm, previousId, previousSealed, ...current } = row;
      const hasPrevious = previousAlgorithm && previousId && previousSealed;
      return {
        current,
        previous: hasPrevious
          ? { algorithm: previousAlgorithm, keyId: previousId, sealed: previousSealed }
          : null,
      };
    });
}

interface Previous {
  previousAlgorithm: SealedKey['algorithm'] | null;
  previousId: string | null;
  previousSealed: Buffer | null;
}

/** The current key becomes the previous one; the former previous key is no longer used. */
export function rotateKey(
  db: Db,
  route: Place,
  { key, until, now }: { key: NewKey; until: Date; now: Date },
): Promise<number> {
  return change(
    db,
    route,
    sql`previous_algorithm = algorithm, previous_id = key_id, previous_sealed = key_sealed, previous_until = ${until},
      algorithm = ${key.algorithm}, key_id = ${key.keyId}, key_sealed = ${key.sealed}, key_created_at = ${now}`,
  );
}

export function endPreviousKey(db: Db, route: Place): Promise<number> {
  return change(
    db,
    route,
    sql`previous_algorithm = null, previous_id = null, previous_sealed = null, previous_until = null`,
  );
}

export function watchUntil(db: Db, route: Place, until: Date | null): Promise<number> {
  return change(db, route, sql`watched_until = ${until}`);
}

function change(db: Db, { projectId, id }: Place, set: Sql): Promise<number> {
  return db.run(sql`
    update proxy_routes set ${set}, revision = revision + 1 where project_id = ${projectId} and id = ${id}`);
}

export async function deleteProxyRoute(db: Db, { projectId, id }: Place): Promise<void> {
  await db.run(sql`delete from proxy_routes where project_id = ${projectId} and id = ${id}`);
}
