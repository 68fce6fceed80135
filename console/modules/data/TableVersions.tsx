import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { listTableVersions, restoreTableVersion, type TableVersion } from '#contract/moduleData.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './data.module.css';

/** The earlier versions of a table, to view and to restore. */
export function TableVersions({ module }: { module: SmartModule }) {
  const { projectId, id: moduleId } = module;
  const [url, change] = useUrlState();
  const may = useMay(restoreTableVersion);
  const [restoring, setRestoring] = useState<TableVersion>();
  const read = useRead(listTableVersions, { params: { projectId, moduleId } });
  const restore = useCall(restoreTableVersion, {
    onDone(saved) {
      toast(`Restored as version ${saved.version}`);
      change({ version: undefined });
    },
  });
  return (
    <Panel title="Versions" note={read.data?.length || undefined} flush>
      <ReadState read={read} what="The versions" skeleton={<Skeleton shape="rows" lines={2} />} />
      {read.data?.length === 0 && <p className={css.none}>Each time the data is saved, a version is kept.</p>}
      <ul className={css.versions}>
        {read.data?.map(version => (
          <VersionRow
            key={version.version}
            version={version}
            isShown={url.version === String(version.version)}
            onView={() => change({ version: String(version.version) })}
            onRestore={may ? () => setRestoring(version) : undefined}
          />
        ))}
      </ul>
      {restoring && (
        <Confirm
          title={`Restore version ${restoring.version}?`}
          verb="Restore version"
          danger={false}
          onConfirm={() =>
            restore.mutateAsync({ params: { projectId, moduleId, tableVersion: String(restoring.version) } })
          }
          onClose={() => setRestoring(undefined)}
        >
          <p>Its data becomes current again, as a new version. The current data is kept as a version too.</p>
        </Confirm>
      )}
    </Panel>
  );
}

interface VersionRowProps {
  version: TableVersion;
  isShown: boolean;
  onView: () => void;
  /** Absent: the member may not restore. */
  onRestore: (() => void) | undefined;
}

function VersionRow({ version, isShown, onView, onRestore }: VersionRowProps) {
  const { version: number, rows, savedAt, savedBy, isCurrent } = version;
  return (
    <li data-shown={isShown || undefined}>
      <span>
        <b>Version {number}</b>
        <small>
          {rows === 1 ? '1 row' : `${numberText(rows)} rows`}, <TimeAgo time={savedAt} /> by{' '}
          <span dir="auto">{savedBy}</span>
        </small>
      </span>
      {isCurrent ? (
        <span className={css.current}>current</span>
      ) : (
        <span>
          <Button variant="quiet" aria-label={`View version ${number}`} onClick={onView}>
            View
          </Button>
          {onRestore && (
            <Button variant="quiet" aria-label={`Restore version ${number}`} onClick={onRestore}>
              Restore
            </Button>
          )}
        </span>
      )}
    </li>
  );
}
