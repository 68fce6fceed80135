import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useStore } from '#console/core/store.ts';
import type { UploadRun } from '#console/firmware/components/upload/uploadRun.ts';
import { cancelUpload, useUploadOf } from '#console/firmware/components/upload/uploads.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { PauseIcon, PlayIcon } from '#console/ui/icons/icons.tsx';
import type { ComponentVersion } from '#contract/componentVersion.ts';
import css from './version.module.css';

/** Pause, resume and cancel for a running upload. */
export function UploadActions({ version }: { version: ComponentVersion }) {
  const run = useUploadOf(version.id);
  const { uploadId } = version;
  const [cancelling, setCancelling] = useState(false);
  const isOpen = version.state === 'uploading' && uploadId !== undefined;
  useActions(isOpen ? [{ label: 'Cancel upload', run: () => setCancelling(true) }] : []);
  if (!isOpen) return null;
  async function cancel() {
    await cancelUpload(version.id, uploadId ?? '');
    toast('Upload cancelled');
  }
  return (
    <>
      {run && <PauseButton run={run} />}
      <Button className={css.cancel} onClick={() => setCancelling(true)}>
        Cancel upload
      </Button>
      {cancelling && (
        <Confirm
          title="Cancel upload"
          verb="Cancel upload"
          onConfirm={cancel}
          onClose={() => setCancelling(false)}
        >
          <p>The stored parts of the file are removed. The version is kept, without a file.</p>
        </Confirm>
      )}
    </>
  );
}

function PauseButton({ run }: { run: UploadRun }) {
  const { phase } = useStore(run.view);
  const isPaused = phase === 'paused';
  const may = isPaused || phase === 'sending' || phase === 'waiting';
  const [label, toggle] = isPaused
    ? ['Resume upload', () => run.resume()]
    : ['Pause upload', () => run.pause()];
  useActions(may ? [{ label, keys: 'p', run: toggle }] : []);
  if (!may) return null;
  return (
    <Button icon={isPaused ? <PlayIcon size={14} /> : <PauseIcon size={14} />} onClick={toggle}>
      {label}
    </Button>
  );
}
