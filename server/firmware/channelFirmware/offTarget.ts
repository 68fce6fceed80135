import { type listOffTarget, type OffTarget, offTargetReasons } from '#contract/channelFirmware.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { sql } from '#server/infra/db/sql.ts';
import { standing } from './standing.ts';

interface Row {
  deviceId: string;
  tag: string;
  name: string;
  runs: { id: string; name: string } | null;
  components: OffTarget['components'];
  reason: OffTarget['reason'];
  since: Date | null;
  pin: { id: string; name: string } | null;
  code: string | null;
  error: string | null;
  attempts: number | null;
  retryAt: Date | null;
}

/** The first that applies. What the device said of the bundle it should run comes before where it is now. */
const reason = sql`case when o.suspended then 'suspended'
  when o.bundle_pinned is not null and o.bundle_pinned is distinct from o.wanted then 'pinned'
  when o.target = o.wanted and o.state = 'lost' then 'lost'
  when o.target = o.wanted and o.state = 'declined' then 'declined'
  when o.target = o.wanted and o.state = 'failed' and o.retry_at is not null then 'retrying'
  when o.target = o.wanted and o.state = 'failed' then 'failed'
  when o.seen_at is distinct from 'infinity' then 'disconnected'
  when o.bundle_installed is null and e.installed is not null then 'unlisted'
  else 'unknown' end`;

const columns = sql`
  o.id as "deviceId", o.tag, o.name, o.reason, o.attempts,
  case when b.id is not null then json_build_object('id', b.id, 'name', b.name) end as runs,
  case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as pin,
  coalesce((select json_agg(json_build_object('component', i ->> 'component', 'version', i ->> 'version'))
    from jsonb_array_elements(o.installed -> 'components') i), '[]') as components,
  case when o.has_failed then o.code end as code, case when o.has_failed then o.error end as error,
  case when o.has_failed then o.retry_at end as "retryAt",
  case when o.has_failed then o.state_at when o.reason = 'disconnected' then o.seen_at end as since`;

/** Those with a failure first, then those that only have to come back. */
export function offTargetOf({ db, row, page }: Call<typeof listOffTarget>) {
  const { projectId } = row;
  return pageOf(db, {
    columns,
    from: sql`(
      select o.*, e.installed, ${reason} as reason, o.target = o.wanted and o.state in ('failed', 'lost', 'declined') as has_failed
      from (${standing(row)}) o left join device_states e on e.project_id = ${projectId} and e.device_id = o.id
      where o.is_off) as o
      left join bundles b on b.project_id = ${projectId} and b.id = o.bundle_installed
      left join bundles p on p.project_id = ${projectId} and p.id = o.bundle_pinned and o.reason = 'pinned'`,
    where: page.search
      ? contains(sql`search_text(o.id || ' ' || o.tag || ' ' || o.name)`, page.search)
      : sql`true`,
    orders: { reason: `array_position(array['${offTargetReasons.join("', '")}'], o.reason)` },
    key: sql`o.id`,
    page,
    as: toOffTarget,
  });
}

function toOffTarget({ runs, pin, since, code, error, attempts, retryAt, ...row }: Row): OffTarget {
  return {
    ...row,
    ...(runs && { runs }),
    ...(pin && { pin }),
    ...(since && { since: since.toISOString() }),
    ...(code !== null && { code }),
    ...(error !== null && { error }),
    attempts: attempts ?? 0,
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
}
