import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { FileField } from '#console/ui/form/FileField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { panelForm } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import { filenameMax, versionBytesMax } from '#contract/componentVersion.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './upload.module.css';
import { startUpload } from './uploads.ts';

/** Whether this browser can read files in parts. */
export const readsFiles = (): boolean =>
  typeof File === 'function' && typeof Blob.prototype.slice === 'function' && 'arrayBuffer' in Blob.prototype;

interface ChooseFileProps {
  versionId: string;
  isSigned: boolean;
}

/** Chooses the file of a version and, if known, the checksum that it must have. */
export function ChooseFile({ versionId, isSigned }: ChooseFileProps) {
  const [file, setFile] = useState<File>();
  const [fault, setFault] = useState<string>();
  const form = useForm({
    initial: { sha256: '' },
    check: ({ sha256 }) => (sha256.trim() && !checksumIn(sha256) ? { sha256: 'INVALID_FORMAT' } : {}),
    async submit({ sha256 }) {
      const found = faultOf(file);
      setFault(found);
      if (file && !found) await startUpload(versionId, { file, expected: checksumIn(sha256), isSigned });
    },
  });
  return (
    <form onSubmit={form.onSubmit} className={panelForm} noValidate>
      <FormError error={form.error} />
      <FileField
        label="File"
        value={file}
        onChange={chosen => {
          setFile(chosen);
          setFault(chosen && faultOf(chosen));
        }}
      />
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <TextField
        label="SHA-256 (optional)"
        mono
        autoComplete="off"
        spellCheck={false}
        hint="Enter it if you know it from your build: no other file will be accepted."
        {...form.field('sha256')}
      />
      <div>
        <Button type="submit" variant="primary" busy={form.saving}>
          Start upload
        </Button>
      </div>
    </form>
  );
}

function faultOf(file: File | undefined): string | undefined {
  if (!file) return 'Choose a file.';
  if (file.size === 0) return 'This file is empty.';
  if (file.size > versionBytesMax) return 'A file can have at most 2 GiB.';
  if (file.name.length > filenameMax) return `The name of a file can have at most ${filenameMax} characters.`;
  return undefined;
}

/** Also accepts the output of `sha256sum`, in which the file name follows. */
function checksumIn(text: string): string | undefined {
  return /^\s*([0-9a-f]{64})(?:\s|$)/i.exec(text)?.[1]?.toLowerCase();
}

interface FileAgainProps {
  begun: { filename: string; sizeBytes: number };
  /** Why the chosen file is not the right one; undefined if it is. */
  faultOf: (file: File) => string | undefined;
  onFile: (file: File) => Promise<void>;
}

/** The file of an upload that began in another tab, or before this page was loaded: browsers do not keep it. */
export function FileAgain({ begun, faultOf, onFile }: FileAgainProps) {
  const [chosen, setChosen] = useState<File>();
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<CallFailed>();
  async function choose(file: File | undefined) {
    setChosen(file);
    setError(undefined);
    const found = file && faultOf(file);
    setFault(found);
    if (!file || found) return;
    try {
      await onFile(file);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }
  return (
    <div className={panelForm}>
      <FormError error={error} />
      <FileField
        label="Choose the file to continue"
        value={chosen}
        hint={
          <>
            <span dir="auto">{begun.filename}</span>, {numberText(begun.sizeBytes)} bytes
          </>
        }
        onChange={file => void choose(file)}
      />
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
