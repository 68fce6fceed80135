import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceClassRevisionRow } from '#contract/deviceClassRevision.ts';

/** "saved 2 h ago by Priya Rao", as far as it is known. */
export function SavedBy({ revision: { savedAt, savedBy } }: { revision: DeviceClassRevisionRow }) {
  if (!savedAt) return null;
  return (
    <>
      saved <TimeAgo time={savedAt} />
      {savedBy?.name && (
        <>
          {' '}
          by <bdi>{savedBy.name}</bdi>
        </>
      )}
    </>
  );
}
