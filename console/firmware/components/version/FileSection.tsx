import { useStore } from '#console/core/store.ts';
import { ChooseFile, readsFiles } from '#console/firmware/components/upload/ChooseFile.tsx';
import { ResumePanel } from '#console/firmware/components/upload/ResumePanel.tsx';
import { Band, UploadProgress } from '#console/firmware/components/upload/UploadProgress.tsx';
import { LiveUploadSteps, UploadSteps } from '#console/firmware/components/upload/UploadSteps.tsx';
import uploadCss from '#console/firmware/components/upload/upload.module.css';
import type { UploadRun } from '#console/firmware/components/upload/uploadRun.ts';
import { useUploadOf } from '#console/firmware/components/upload/uploads.ts';
import { isOver, type UploadView } from '#console/firmware/components/upload/uploadView.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import type { Component } from '#contract/component.ts';
import type { ComponentVersion } from '#contract/componentVersion.ts';
import { FilePanel } from './FilePanel.tsx';

interface FileSectionProps {
  version: ComponentVersion;
  /** The signing keys of the component; undefined: not known yet. */
  keys: Component['signingKeys'] | undefined;
  locked: boolean;
}

/** The possible actions on the file of a version, in whatever state it is. */
export function FileSection(props: FileSectionProps) {
  const run = useUploadOf(props.version.id);
  return run ? <WithRun {...props} run={run} /> : <WithoutRun {...props} />;
}

function WithRun({ run, ...props }: FileSectionProps & { run: UploadRun }) {
  const { version, keys = [] } = props;
  const { phase, refusal } = useStore(run.view);
  if (isOver(phase)) return <WithoutRun {...props} refusal={refusal} />;
  const { projectId: project, componentName: component, name, securityVersion } = version;
  return (
    <>
      <UploadProgress run={run} signing={{ project, component, version: name, securityVersion, keys }} />
      <LiveUploadSteps run={run} state={version.state} isSigned={keys.length > 0} />
    </>
  );
}

function WithoutRun({ refusal, ...props }: FileSectionProps & { refusal?: UploadView['refusal'] }) {
  const { version, keys = [], locked } = props;
  const { state, error } = version;
  const isSigned = keys.length > 0;
  if (state === 'ready') return <FilePanel version={version} />;
  if (state === 'uploading')
    return (
      <>
        <WhyNot refusal={refusal} error={undefined} />
        <ResumePanel version={version} isSigned={isSigned} locked={locked} />
      </>
    );
  const isSent = state === 'verifying';
  return (
    <>
      {isSent ? (
        <Verifying />
      ) : (
        <Panel title="Upload" flush>
          <WhyNot refusal={refusal} error={state === 'failed' ? error : undefined} />
          <div className={uploadCss.body}>
            {locked && <p className={uploadCss.quiet}>This version has no file yet.</p>}
            {!locked && !readsFiles() && <NoFileApi />}
            {!locked && readsFiles() && props.keys && (
              <ChooseFile key={version.revision} versionId={version.id} isSigned={isSigned} />
            )}
          </div>
        </Panel>
      )}
      <UploadSteps state={state} view={undefined} isSigned={isSigned} />
    </>
  );
}

function Verifying() {
  return (
    <Panel title="Upload">
      <Progress label="Verifying the file. This page updates by itself." part={undefined} />
    </Panel>
  );
}

function NoFileApi() {
  return (
    <p role="alert">
      File APIs must be supported by the browser. Open this page in a current one to upload a file.
    </p>
  );
}

/** Why the previous upload failed. */
function WhyNot({ refusal, error }: { refusal: UploadView['refusal']; error: string | undefined }) {
  if (refusal?.kind === 'checksum')
    return (
      <Band tone="danger">
        <b>This is not the file.</b> Its SHA-256 differs from the one you entered. Nothing was published.
      </Band>
    );
  if (refusal?.kind === 'unreadable')
    return (
      <Band tone="danger">
        <b>The file could not be read.</b> It was changed, moved or deleted in the meantime. Choose it again.
      </Band>
    );
  if (refusal)
    return (
      <Band tone="danger">
        <b>The upload was not accepted.</b> {refusal.sentence} <code>{refusal.reason}</code>
      </Band>
    );
  if (!error) return null;
  return (
    <Band tone="danger">
      <b>The file was not accepted.</b> {error} Nothing was published.
    </Band>
  );
}
