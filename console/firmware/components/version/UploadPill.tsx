import { useStore } from '#console/core/store.ts';
import { percentOf } from '#console/firmware/components/upload/UploadProgress.tsx';
import type { UploadRun } from '#console/firmware/components/upload/uploadRun.ts';
import { useUploadOf } from '#console/firmware/components/upload/uploads.ts';
import { isOver } from '#console/firmware/components/upload/uploadView.ts';
import { VersionPill } from '#console/firmware/VersionPill.tsx';
import type { VersionState } from '#contract/component.ts';
import type { ComponentVersion } from '#contract/componentVersion.ts';

/** The state of a version; while this tab uploads its file, the progress. */
export function UploadPill({ version: { id, state } }: { version: ComponentVersion }) {
  const run = useUploadOf(id);
  if (!run) return <VersionPill state={state} shape="pill" />;
  return <RunPill run={run} state={state} />;
}

function RunPill({ run, state }: { run: UploadRun; state: VersionState }) {
  const { phase, sentBytes, sizeBytes } = useStore(run.view);
  if (isOver(phase)) return <VersionPill state={state} shape="pill" />;
  const detail = phase === 'paused' ? 'paused' : `${percentOf(sentBytes, sizeBytes)} %`;
  return <VersionPill state="uploading" shape="pill" detail={detail} />;
}
