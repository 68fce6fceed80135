import { StatePill } from '#console/ui/state/StatePill.tsx';
import { relativeTime, TimeAgo, useNow } from '#console/ui/state/TimeAgo.tsx';
import type { Key } from '#contract/key.ts';

const soonMs = 14 * 86_400_000;

/** Whether a key works, and when it was last used. */
export function KeyStatePill({ keyRow, shape }: { keyRow: Key; shape?: 'pill' | 'lines' }) {
  const { suspended, expiresAt, lastUsedAt } = keyRow;
  const now = useNow();
  const given = shape && { shape };
  const used = lastUsedAt ? (
    <>
      last used <TimeAgo time={lastUsedAt} />
    </>
  ) : (
    'never used'
  );
  if (suspended) return <StatePill {...given} tone="danger" word="Suspended" detail={used} />;
  const leftMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  if (leftMs <= 0)
    return <StatePill {...given} tone="danger" word="Expired" detail={<TimeAgo time={expiresAt} />} />;
  const ends = leftMs < soonMs && expiresAt && `expires ${relativeTime(expiresAt, now)}`;
  return <StatePill {...given} tone={ends ? 'warn' : 'ok'} word="Active" detail={ends || used} />;
}
