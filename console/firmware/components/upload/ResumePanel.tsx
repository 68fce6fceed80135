import { useRead } from '#console/core/api.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type ComponentVersion, readVersionUpload, type VersionUpload } from '#contract/componentVersion.ts';
import { numberText } from '#rules/text/numberText.ts';
import { FileAgain } from './ChooseFile.tsx';
import { PartsGrid } from './PartsGrid.tsx';
import { percentOf } from './UploadProgress.tsx';
import css from './upload.module.css';
import { partsOf, unlike } from './uploadParts.ts';
import { modifiedAt, resumeUpload } from './uploads.ts';
import type { PartView } from './uploadView.ts';

interface ResumePanelProps {
  version: ComponentVersion;
  isSigned: boolean;
  locked: boolean;
}

/** An upload that this tab is not sending: how much is stored, and the file to continue with. */
export function ResumePanel({ version, isSigned, locked }: ResumePanelProps) {
  const params = { versionId: version.id, uploadId: version.uploadId ?? '' };
  const read = useRead(readVersionUpload, { params }, { enabled: !locked });
  const upload = read.data;
  if (locked)
    return (
      <Panel title="Upload">
        <p className={css.quiet}>The file is being uploaded.</p>
      </Panel>
    );
  return (
    <Panel title="Upload" note={upload && <span dir="auto">{upload.filename}</span>}>
      <ReadState read={read} what="The upload" />
      {upload && (
        <div className={css.stack}>
          <Stored upload={upload} />
          <FileAgain
            begun={upload}
            faultOf={file => sentenceOf(unlike(file, { ...upload, modifiedMs: modifiedAt(upload) }), upload)}
            onFile={file => resumeUpload(version, file, isSigned)}
          />
          <p className={css.quiet}>
            Unless it is completed, the upload expires <TimeAgo time={upload.expiresAt} ahead />.
          </p>
        </div>
      )}
    </Panel>
  );
}

function Stored({ upload }: { upload: VersionUpload }) {
  const parts = partsOf(upload.sizeBytes, upload.partBytes).map((part): PartView => {
    const isStored = upload.stored.includes(part.number);
    return { ...part, state: isStored ? 'stored' : 'missing', sentBytes: isStored ? part.to - part.from : 0 };
  });
  const bytes = parts.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  return (
    <div className={css.stack}>
      <p className={css.figure}>
        <b>{percentOf(bytes, upload.sizeBytes)} % stored</b> <span>interrupted</span>
      </p>
      <PartsGrid parts={parts} partBytes={upload.partBytes} />
    </div>
  );
}

function sentenceOf(difference: ReturnType<typeof unlike>, { filename, sizeBytes }: VersionUpload) {
  if (difference === 'size')
    return `This is a different file: the upload started with one of ${numberText(sizeBytes)} bytes.`;
  if (difference === 'name') return `This is a different file: the upload started with ${filename}.`;
  if (difference === 'content')
    return 'This file was changed after the upload had started, so its parts would not fit together. Cancel the upload, then start again with this file.';
  return undefined;
}
