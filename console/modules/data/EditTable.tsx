import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { jsonFault, parsedJson } from '#console/ui/code/jsonText.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FileField } from '#console/ui/form/FileField.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { type ModuleData, saveTableData, type TableFault, tableMax } from '#contract/moduleData.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './data.module.css';
import { csvOf, rowsOf } from './rowsOf.ts';

interface EditTableProps {
  module: SmartModule;
  data: ModuleData;
  onClose: () => void;
}

/** The rows as CSV or as JSON, typed or from a file; saved as a new version. */
export function EditTable({ module: { projectId, id: moduleId }, data, onClose }: EditTableProps) {
  const save = useCall(saveTableData);
  const [file, setFile] = useState<File>();
  const rows = rowsOf(data);
  const form = useForm({
    initial: { text: rows ? csvOf(rows) : '' },
    check: ({ text }): { text?: string } => {
      if (text.trim() === '') return { text: 'REQUIRED' };
      if (isTooLarge(text)) return { text: 'TOO_LONG' };
      return isJson(text) ? listFault(text) : {};
    },
    async submit({ text }) {
      const saved = await save.mutateAsync({ params: { projectId, moduleId }, body: bodyOf(text) });
      toast(`Saved as version ${saved.version}`);
      onClose();
    },
  });
  async function take(chosen: File | undefined) {
    setFile(chosen);
    if (chosen) form.set('text', await chosen.text());
  }
  const faults = faultsOf(form.failure?.context);
  return (
    <CreateDialog title={rows ? 'Edit data' : 'Enter data'} verb="Save data" form={form} onClose={onClose}>
      <FileField
        label="File (optional)"
        hint={`CSV or JSON, at most ${numberText(tableMax.rows)} rows.`}
        accept=".csv,.json,text/csv,application/json"
        value={file}
        onChange={chosen => void take(chosen)}
      />
      <TextArea
        label="Rows"
        mono
        rows={14}
        spellCheck={false}
        placeholder={'tag,price\nhall-01,0.31\ncellar-05,0.28'}
        keepsHint
        hint="CSV with column names in the first line, or a JSON list of objects; at most 1 MiB of text."
        {...form.field('text')}
      />
      {/* A single fault is already shown at the top of the form. */}
      {faults.length > 1 && (
        <ul className={css.faults} aria-label="What to fix">
          {faults.map(({ row, column, message }) => (
            <li key={`${row} ${column} ${message}`}>
              {row !== undefined && (
                <b>
                  Row {row}
                  {column ? `, ${column}` : ''}:{' '}
                </b>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
    </CreateDialog>
  );
}

const bodyOf = (text: string) => (isJson(text) ? { rows: parsedJson(text) } : { csv: text });

/** Whether the request with these rows would be too large, in CSV or JSON; faulty JSON is detected elsewhere. */
function isTooLarge(text: string): boolean {
  const sent = isJson(text) ? text : JSON.stringify({ csv: text });
  return new Blob([sent]).size > tableMax.bytes;
}

const isJson = (text: string) => /^\s*\[/.test(text);

function listFault(text: string): { text?: string } {
  const fault = jsonFault(text);
  if (fault === 'NUMBER_RANGE') return { text: 'INEXACT_NUMBER' };
  return fault ? { text: 'INVALID_JSON' } : {};
}

const faultsOf = (context: unknown): readonly TableFault[] =>
  (context as { faults?: readonly TableFault[] } | undefined)?.faults ?? [];
