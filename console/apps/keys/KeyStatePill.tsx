import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Key } from '#contract/key.ts';
import { dayMs } from '#rules/time/durations.ts';

const soonMs = 14 * dayMs;

interface KeyStatePillProps {
  keyRow: Key;
  /** `lines` in a list, where its last use has a column of its own. */
  shape?: 'pill' | 'lines';
}

/** Whether a key works, and when it was last used. */
export function KeyStatePill({ keyRow, shape }: KeyStatePillProps) {
  const { suspended, expiresAt, lastUsedAt } = keyRow;
  const now = useNow();
  const given = shape && { shape };
  const used =
    shape === 'lines' ? undefined : lastUsedAt ? (
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
  if (leftMs < soonMs)
    return (
      <StatePill {...given} tone="warn" word="Expires soon" detail={<TimeAgo time={expiresAt} ahead />} />
    );
  return <StatePill {...given} tone="ok" word="Active" detail={used} />;
}
