import { causeOf } from '#server/devices/alerts/causeOf.ts';
import { settled } from '#server/infra/db/settled.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { ToldCause } from './alertLetter.ts';

/** The most causes that an e-mail lists, and the most devices that it names of each. */
const causesMax = 20;
const namesMax = 3;
/** Alerts are counted up to this limit; this count means "at least". */
export const alertCountMax = 1_000;

/**
 * The open alerts that `alert_subscriptions s` has not been told of. If the transaction of an alert commits late, the
 * next e-mail includes it.
 */
export const untold = (upTo: Sql) => sql`
  from alerts a
  where a.project_id = s.project_id and a.state = 'open' and a.severity_order >= s.severity_order
    and a.opened_tx >= least(s.seen_tx[1], s.seen_tx[2], s.seen_tx[3])
    and a.opened_tx >= s.seen_tx[a.severity_order + 1] and a.opened_tx < ${upTo}`;

export interface Told {
  /** The transaction up to which the alerts count. */
  upTo: string;
  count: number;
  causeCount: number;
  causes: ToldCause[];
}

/** What an e-mail to the subscription says now: the causes of the alerts, the most severe first. */
export function untoldCauses(db: Db, subscription: Sql): Promise<Told | undefined> {
  return db.one<Told>(sql`
    with bound as materialized (select ${settled} as tx),
    found as materialized (
      select a.id, ${causeOf} as cause, a.severity, a.severity_order, a.device_id, a.project_id, a.text, a.ts, a.count
      from bound, alert_subscriptions s cross join lateral (
        select a.* ${untold(sql`bound.tx`)} order by a.severity_order desc, a.id desc limit ${alertCountMax}) a
      where ${subscription}),
    causes as (
      select cause, max(severity_order) as worst, max(id) as newest, count(*)::int as alerts,
        count(distinct device_id)::int as devices, min(ts) as since, sum(count)::int as reports
      from found group by cause),
    listed as (
      select c.*, f.severity, f.text, array(
        select coalesce(nullif(d.name, ''), nullif(d.tag, ''), d.id)
        from (
          select device_id, project_id, max(id) as newest from found
          where cause = c.cause group by 1, 2 order by 3 desc limit ${namesMax}) n
        join devices d on d.project_id = n.project_id and d.id = n.device_id
        order by n.newest desc) as names
      from causes c join found f on f.id = c.newest order by c.worst desc, c.newest desc limit ${causesMax})
    select (select tx::text from bound) as "upTo", (select count(*)::int from found) as count,
      (select count(*)::int from causes) as "causeCount", (
      select coalesce(json_agg(l order by l.worst desc, l.newest desc), '[]') from listed l) as causes`);
}
