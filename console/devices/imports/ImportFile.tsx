import { useState } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { putFile } from '#console/core/files/putFile.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { FileField } from '#console/ui/form/FileField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { importBytesMax, startImport } from '#contract/deviceBulk.ts';

interface ImportFileProps {
  params: { projectId: string; classId: string };
  onUploaded: (importId: string) => void;
  onClose: () => void;
}

const idChoices = [
  {
    value: 'new',
    label: 'Assign new ids',
    hint: 'Every line becomes a new device. Use this for factory lists, and to copy devices from another project.',
  },
  {
    value: 'keep',
    label: 'Keep the ids in the file',
    hint: 'Devices keep their identity and keys. Use this for exports, and to move devices from another installation.',
  },
] as const;

interface Values {
  file: File | undefined;
  ids: 'new' | 'keep';
}

/** Uploads and checks the file; no device is created yet. */
export function ImportFile({ params, onUploaded, onClose }: ImportFileProps) {
  const [part, setPart] = useState<number>();
  const submit = useSubmit();
  const form = useForm<Values>({
    initial: { file: undefined, ids: 'new' },
    check: ({ file }) => {
      if (!file) return { file: 'REQUIRED' };
      if (formatOf(file) === undefined) return { file: 'FILE_UNFIT' };
      return file.size > importBytesMax ? { file: 'TOO_LARGE' } : {};
    },
    async submit({ file, ids }) {
      const format = file && formatOf(file);
      if (!file || !format) return;
      const { projectId, classId: deviceClass } = params;
      try {
        const body = { deviceClass, format, ids };
        const { id, uploadUrl } = await submit(startImport, { params: { projectId }, body });
        setPart(0);
        if (uploadUrl) await putFile(uploadUrl, file, setPart);
        onUploaded(id);
      } finally {
        setPart(undefined);
      }
    },
  });
  const { file } = form.values;
  return (
    <CreateDialog title={`Import ${params.classId} devices`} verb="Check file" form={form} onClose={onClose}>
      <FileField
        label="File"
        accept=".json,.csv,application/json,text/csv"
        hint="JSON or CSV with one device per line: tag, name, description, channel, and optionally id, apiKey and claimCode. Exports have this format."
        {...form.field('file')}
      />
      <Choices
        label="Ids"
        value={form.values.ids}
        onChange={ids => form.set('ids', ids)}
        choices={idChoices}
      />
      {part !== undefined && file && (
        <Progress label={`Uploading ${file.name}: ${Math.floor(part * 100)} %`} part={part} />
      )}
    </CreateDialog>
  );
}

function formatOf({ name, type }: File): 'json' | 'csv' | undefined {
  if (/\.json$/i.test(name) || type === 'application/json') return 'json';
  return /\.csv$/i.test(name) || type === 'text/csv' ? 'csv' : undefined;
}
