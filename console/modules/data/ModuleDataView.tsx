import { useRead } from '#console/core/api.ts';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type ModuleData, readModuleData } from '#contract/moduleData.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { DataPanel } from './DataPanel.tsx';
import css from './data.module.css';

const refetchMs = 15_000;

export function useModuleData({ projectId, id: moduleId, moduleType }: SmartModule) {
  // A table of up to 10,000 rows changes only when someone saves it, and the live link announces that.
  const refetchInterval = moduleType === 'fetch' ? refetchMs : false;
  return useRead(readModuleData, { params: { projectId, moduleId } }, { refetchInterval });
}

/** The data that a module provides, as rules see it. */
export function ModuleDataView({ module }: { module: SmartModule }) {
  const read = useModuleData(module);
  if (!read.data) return <ReadState read={read} what="The data" skeleton={<Skeleton lines={8} unsized />} />;
  return (
    <>
      <Freshness data={read.data} />
      <DataPanel module={module} data={read.data} />
    </>
  );
}

/** Why the data is out of date or incomplete; nothing if it is neither. */
function Freshness({ data: { isStale, fault, at, triedAt } }: { data: ModuleData }) {
  if (!isStale && fault === undefined) return null;
  return (
    <section className={css.band} aria-label="Freshness">
      <WarningIcon />
      <p>
        <b>{isStale ? 'This data is out of date.' : 'The last attempt failed.'}</b>{' '}
        {fault && <span dir="auto">{fault} </span>}
        {triedAt && (
          <>
            Tried <TimeAgo time={triedAt} />.{' '}
          </>
        )}
        {at ? (
          <>
            Rules use what was fetched <TimeAgo time={at} />.
          </>
        ) : (
          'There is no data yet.'
        )}
      </p>
    </section>
  );
}
