import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { TextChanges } from '#console/ui/code/TextChanges.tsx';
import { Dialog, DialogBody } from '#console/ui/dialog/Dialog.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { type DeviceClassRevision, readDeviceClassRevision } from '#contract/deviceClassRevision.ts';
import { ChooseRevision } from './ChooseRevision.tsx';
import { RestoreRevision } from './RestoreRevision.tsx';
import css from './revisions.module.css';
import { textsOf } from './revisionTexts.ts';
import { type Compared, useCompared, useRevisions } from './useRevisions.ts';

/** Compares two revisions of a class and offers to restore either. Open while the address names both. */
export function CompareRevisions({ deviceClass }: { deviceClass: DeviceClass }) {
  const [compared, compare] = useCompared();
  if (!compared) return null;
  return (
    <Dialog title="Compare revisions" shape="wideDrawer" onClose={() => compare(undefined)}>
      <DialogBody>
        <Comparison
          {...{ deviceClass, compared }}
          onCompare={next => compare(next, { replace: true })}
          onClose={() => compare(undefined, { replace: true })}
        />
      </DialogBody>
    </Dialog>
  );
}

interface ComparisonProps {
  deviceClass: DeviceClass;
  compared: Compared;
  onCompare: (compared: Compared) => void;
  onClose: () => void;
}

function Comparison({ deviceClass, compared, onCompare, onClose }: ComparisonProps) {
  const list = useRevisions(deviceClass);
  const before = useRevision(deviceClass, compared.before);
  const after = useRevision(deviceClass, compared.after);
  const [restoring, setRestoring] = useState<DeviceClassRevision>();
  const mayEdit = useMay(editDeviceClass);
  const sides = [
    { label: 'Before', side: 'before', read: before },
    { label: 'After', side: 'after', read: after },
  ] as const;
  return (
    <>
      <div className={css.sides}>
        {sides.map(({ label, side, read }) => (
          <ChooseRevision
            key={side}
            label={label}
            revisions={list.data}
            chosen={compared[side]}
            current={deviceClass.revision}
            onChoose={revision => onCompare({ ...compared, [side]: revision })}
            onRestore={mayEdit ? () => setRestoring(read.data) : undefined}
          />
        ))}
      </div>
      <ReadState read={list} what="The revisions" skeleton={null} />
      {sides.map(({ side, read }) => (
        <ReadState key={side} read={read} what={`Revision ${compared[side]}`} skeleton={null} />
      ))}
      {(before.isPending || after.isPending) && <Skeleton lines={8} />}
      {before.data && after.data && (
        <TextChanges texts={textsOf(before.data, after.data)} none="These revisions are identical." />
      )}
      {restoring && (
        <RestoreRevision
          {...{ deviceClass }}
          revision={restoring}
          onDone={onClose}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </>
  );
}

function useRevision({ projectId, id: classId }: DeviceClass, revision: number) {
  return useRead(readDeviceClassRevision, {
    params: { classId, revision: String(revision) },
    query: { projectId },
  });
}
