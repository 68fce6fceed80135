import { type CommonFact, commonFacts, type Finding } from '#contract/finding.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** At least this share of the devices has the same value, or it is not in common. */
const shareMin = 0.9;
const shownMax = 4;
/** An alert counts as one before a loss of connection if it was reported at most this long before. */
const alertBefore = sql`interval '1 hour'`;

interface Asked {
  deviceIds: readonly string[];
  /** True: the devices have disconnected, so why, and what they reported just before, counts as well. */
  areGone?: boolean;
}

/**
 * What nearly all of the devices share, the most telling first. One device has everything in common with itself, and the
 * only class of a fleet says nothing.
 */
export async function inCommon(
  db: Db,
  projectId: string,
  { deviceIds, areGone = false }: Asked,
): Promise<Finding['common']> {
  if (deviceIds.length < 2) return [];
  const rows = await db.many<Finding['common'][number]>(sql`
    with fleet as materialized (
      select count(distinct device_class) > 1 as has_classes from device_counts where project_id = ${projectId}),
    affected as materialized (
      select d.id, d.device_class, d.bundle_installed, d.home_id, d.channel_followed,
        case when ${areGone} then s.reason end as reason, case when ${areGone} then s.seen_order end as gone_at
      from unnest(${deviceIds}::text[]) as asked (id)
      -- Each row is found by its key: a plan for as many devices could read the whole fleet instead.
      cross join lateral (select * from devices where project_id = ${projectId} and id = asked.id limit 1) d
      cross join lateral (
        select * from device_presence where project_id = ${projectId} and device_id = asked.id limit 1) s),
    facts as (
      select f.* from affected a
      left join bundles b on b.project_id = ${projectId} and b.id = a.bundle_installed
      left join homes h on h.project_id = ${projectId} and h.id = a.home_id
      left join lateral (
        select text from alerts where a.gone_at > '-infinity' and a.gone_at < 'infinity'
          and project_id = ${projectId} and device_id = a.id and ts <= a.gone_at and ts > a.gone_at - ${alertBefore}
        order by ts desc limit 1) l on true
      cross join lateral (values ('reason', a.reason), ('class', case when (select has_classes from fleet) then a.device_class end), ('firmware', b.name), ('alert', l.text),
        ('home', h.name), ('channel', a.channel_followed)) f (fact, value)
      where f.value <> '')
    select fact, value, count(*)::int as count, (select count(*) from affected)::int as of
    from facts group by fact, value having count(*) >= ${shareMin}::float8 * (select count(*) from affected)`);
  const place = ({ fact }: { fact: CommonFact }) => commonFacts.indexOf(fact);
  return rows.toSorted((a, b) => place(a) - place(b)).slice(0, shownMax);
}
