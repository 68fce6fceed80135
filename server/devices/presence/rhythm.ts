import { quietDevice as rule } from '#rules/devices/quietDevice.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

/** How long a device of `device_presence` may be silent, in seconds. */
export const allowanceS = (longestGapS: Sql): Sql =>
  sql`greatest(${rule.silenceMinS}::float8, ${rule.longestTimes}::float8 * ${longestGapS})`;

/** What is remembered of the rhythm of `device_presence s`, before a message. */
export const rhythmColumns: Sql = sql`
  s.last_message_at as spoke_at, s.gap_s, s.longest_gap_s, s.gap_count, s.gaps_from, s.quiet_check_at, s.quiet_since`;

/**
 * The time since the last message: of the remembered `l` and the message `m`; null if there is nothing to learn. A silence
 * that was found to be too long changes the rhythm by a step, so that one failure does not make a device silent for ever,
 * and a device that has become slower is not found for ever.
 */
export const gapOf: Sql = sql`
  case when m.last_message_at > l.spoke_at then least(
    extract(epoch from m.last_message_at - l.spoke_at),
    case when l.gap_count >= ${rule.gapsMin} then 2 * ${allowanceS(sql`l.longest_gap_s`)} end) end`;

const longest = sql`greatest(l.gap, l.longest_gap_s * power(0.5, l.gap / ${rule.halvedAfterS}::float8))`;
const isKnown = sql`
  l.gap_count + 1 >= ${rule.gapsMin}
    and l.gaps_from <= m.last_message_at - ${rule.learnedForS} * interval '1 second'`;

/** Learns from the message `m`, after the gap `l.gap`; its sender is not quiet. */
export const rhythmSets: readonly Sql[] = [
  sql`gap_s = case when l.gap is null then l.gap_s
    else coalesce(l.gap_s + (l.gap - l.gap_s) * ${rule.newestShare}::float8, l.gap) end`,
  sql`longest_gap_s = case when l.gap is null then l.longest_gap_s else ${longest} end`,
  sql`gap_count = case when l.gap is null then l.gap_count else least(l.gap_count + 1, ${rule.gapsMin}) end`,
  sql`gaps_from = coalesce(l.gaps_from, m.last_message_at)`,
  sql`quiet_since = case when l.gap is null then l.quiet_since end`,
  // The time to look at it moves only once it has come: an index has it.
  sql`quiet_check_at = case
    when l.gap is null or l.quiet_check_at is not null or not (${isKnown}) then l.quiet_check_at
    else m.last_message_at + ${allowanceS(longest)} * interval '1 second' end`,
];
