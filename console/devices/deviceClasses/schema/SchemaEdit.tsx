import { useEffect, useRef } from 'react';
import { useCall } from '#console/core/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { isJsonObject, jsonFault, parsedJson, schemaMarks, textOfJson } from '#console/ui/code/jsonText.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { SchemaPreviewLine } from './SchemaPreviewLine.tsx';
import { type SchemaKind, schemaOf } from './schemaForm.ts';

interface SchemaEditProps {
  kind: SchemaKind;
  deviceClass: DeviceClass;
  /** A proposal that replaces the current text; null: none. */
  draft: unknown;
  done: () => void;
}

export function SchemaEdit({ kind, deviceClass, draft, done }: SchemaEditProps) {
  const { field, title, hint, example } = kind;
  const { projectId, id } = deviceClass;
  const save = useCall(editDeviceClass);
  const edit = useEdit({
    row: deviceClass,
    words: { text: title },
    toForm: (row: DeviceClass) => {
      const schema = schemaOf(row, field);
      return { text: schema === undefined ? '' : textOfJson(schema) };
    },
    check: ({ text }) => faultOf(text, field === 'stateSchema'),
    send: ({ text = '' }, ifMatch) => {
      const body = { [field]: text.trim() ? parsedJson(text) : null };
      return save.mutateAsync({ ...classInput(projectId, id), body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast(`${title} saved`);
      done();
    },
  });
  const { values, set } = edit;
  useOnce(() => {
    if (draft !== null) set('text', textOfJson(draft));
  });
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <JsonField
        label={title}
        autoFocus
        lines={[12, 28]}
        marks={schemaMarks(edit.failure, values.text, `/${field}`)}
        hint={`${hint} Leave empty to remove it.`}
        onSave={() => void edit.send()}
        {...edit.field('text')}
      />
      {field === 'stateSchema' && <SchemaPreviewLine deviceClass={deviceClass} text={values.text} />}
      {!values.text.trim() && (
        <div>
          <Button variant="quiet" onClick={() => set('text', textOfJson(example))}>
            Start from an example
          </Button>
        </div>
      )}
    </EditForm>
  );
}

/** Entered as if typed, so that it counts as an unsaved change: it can be saved, and is not lost without a question. */
function useOnce(work: () => void): void {
  const latest = useRef(work);
  useEffect(() => latest.current(), []);
}

/** A state schema may be true or false; the others are always objects. */
function faultOf(text: string, mayBeBare: boolean): { text?: string } {
  if (!text.trim()) return {};
  if (jsonFault(text)) return { text: 'INVALID_JSON' };
  if (isJsonObject(text)) return {};
  return mayBeBare && typeof JSON.parse(text) === 'boolean' ? {} : { text: 'INVALID_OBJECT' };
}
