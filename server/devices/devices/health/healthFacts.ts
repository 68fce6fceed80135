import type { Device } from '#contract/device.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Counts stop here; more would not change the verdict. */
const countedMax = 1_000;
/** A command without an answer for this long counts as unanswered. */
const answerWithinMs = minuteMs;

/** The facts of a health check besides the device itself. */
export interface Facts {
  hasGateway: boolean;
  /** The last time a key was rejected, and why. */
  keyRejectedAt: Date | null;
  keyRejectedReason: string | null;
  /** The last time a connection was refused although its key was right. */
  rejectedAt: Date | null;
  rejectedReason: string | null;
  limitedAt: Date | null;
  /** The last rejected message, except schema violations, which are quarantined. */
  messageRefusedAt: Date | null;
  messageRefusedTopic: string | null;
  messageRefusedText: string | null;
  subscriptionRefusedAt: Date | null;
  subscriptionRefusedFilter: string | null;
  hasSchemas: boolean;
  /** Schema violations of the last 24 hours. */
  quarantined: number;
  quarantinedAt: Date | null;
  /** Commands queued until the device connects. */
  queued: number;
  /** When the oldest queued command was created. */
  queuedAt: Date | null;
  /** Commands sent some time ago without an answer. */
  unanswered: number;
  /** All waiting commands, whether for delivery or for an answer. */
  waiting: number;
  sentAt: Date | null;
}

export async function factsOf(
  db: Db,
  { projectId, id, deviceClass }: Device,
  now: Date,
): Promise<Facts | undefined> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const answerBy = new Date(now.getTime() - answerWithinMs);
  return db.one<Facts>(sql`
    select exists (select from gateways where lease_until > now()) as "hasGateway",
      s.key_rejected_at as "keyRejectedAt", s.key_rejected_reason as "keyRejectedReason",
      s.rejected_at as "rejectedAt", s.rejected_reason as "rejectedReason", s.limited_at as "limitedAt",
      s.message_refused_at as "messageRefusedAt", s.message_refused_topic as "messageRefusedTopic",
      s.message_refused_text as "messageRefusedText", s.subscription_refused_at as "subscriptionRefusedAt",
      s.subscription_refused_filter as "subscriptionRefusedFilter",
      c.state_schema is not null or c.event_schemas is not null as "hasSchemas",
      q.count as quarantined, q.last as "quarantinedAt", o.queued, o."queuedAt", o.unanswered, o.waiting, o.sent as "sentAt"
    from device_presence s
    join device_classes c on c.project_id = s.project_id and c.id = s.device_class
    cross join lateral (
      select count(*)::int as count, max(ts) as last from (
        select ts from quarantine where project_id = ${projectId} and device_class = ${deviceClass}
          and ts > ${dayAgo} and device_id = ${id} order by ts desc limit ${countedMax}) messages) q
    cross join lateral (
      select (count(*) filter (where stage = 'queued'))::int as queued,
        min(created_at) filter (where stage = 'queued') as "queuedAt",
        (count(*) filter (where stage <> 'queued' and sent_at < ${answerBy}))::int as unanswered,
        count(*)::int as waiting, min(sent_at) filter (where stage <> 'queued') as sent
      from (
        select stage, sent_at, created_at from device_commands
        where device_id = ${id} and project_id = ${projectId} and stage in ('queued', 'sent', 'acknowledged')
        limit ${countedMax}) open) o
    where s.project_id = ${projectId} and s.device_id = ${id}`);
}
