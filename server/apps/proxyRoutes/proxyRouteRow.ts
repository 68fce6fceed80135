import type { ProxyRoute, SignatureAlgorithm } from '#contract/proxyRoute.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

type Time = 'createdAt';
/** A route as stored, without the secrets of its keys. */
export type ProxyRouteRow = Omit<ProxyRoute, Time | 'signing' | 'watchedUntil'> & {
  algorithm: SignatureAlgorithm;
  keyId: string;
  keyCreatedAt: Date;
  previousAlgorithm: SignatureAlgorithm | null;
  previousId: string | null;
  /** Null if there is no previous key that still signs. */
  previousUntil: Date | null;
  watchedUntil: Date | null;
  createdAt: Date;
};

export const proxyRouteColumns = (now: Date): Sql => sql`
  r.id, r.project_id as "projectId", r.resource, r.source_path as "sourcePath", r.target_url as "targetUrl",
  r.description, r.suspended, r.home_ids::float8[] as "homeIds", r.device_classes as "deviceClasses",
  r.entity_classes as "entityClasses", r.entity_ids as "entityIds", r.home_roles as "homeRoles",
  r.web_socket as "webSocket", r.algorithm, r.key_id as "keyId", r.key_created_at as "keyCreatedAt",
  r.previous_algorithm as "previousAlgorithm", r.previous_id as "previousId",
  case when r.previous_until > ${now} then r.previous_until end as "previousUntil",
  case when r.watched_until > ${now} then r.watched_until end as "watchedUntil",
  r.created_at as "createdAt", r.created_by as "createdBy", r.revision`;

export function toProxyRoute(row: ProxyRouteRow): ProxyRoute {
  const { algorithm, keyId, keyCreatedAt, previousAlgorithm, previousId, previousUntil, ...rest } = row;
  const { watchedUntil, createdAt, ...route } = rest;
  return {
    ...route,
    signing: {
      keyId,
      algorithm,
      createdAt: keyCreatedAt.toISOString(),
      ...(previousId !== null &&
        previousAlgorithm !== null &&
        previousUntil && {
          previous: {
            keyId: previousId,
            algorithm: previousAlgorithm,
            until: previousUntil.toISOString(),
          },
        }),
    },
    ...(watchedUntil && { watchedUntil: watchedUntil.toISOString() }),
    createdAt: createdAt.toISOString(),
  };
}
