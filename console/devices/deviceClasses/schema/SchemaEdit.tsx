import { useEffect, useRef } from 'react';
import { useCall } from '#console/core/api.ts';
import { MessagesBuilder } from '#console/devices/schemaBuilder/MessagesBuilder.tsx';
import { SchemaBuilder } from '#console/devices/schemaBuilder/SchemaBuilder.tsx';
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
import css from './schemaSection.module.css';

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
    <EditForm edit={edit} onCancel={done} wide isOfAddress>
      <div className={css.editing}>
        <Builder kind={kind} text={values.text} onChange={schema => set('text', textOfJson(schema))} />
        <JsonField
          label={title}
          lines={[12, 28]}
          marks={schemaMarks(edit.failure, values.text, `/${field}`)}
          hint={`${hint} Leave empty to remove it.`}
          onSave={() => void edit.send()}
          {...edit.field('text')}
        />
      </div>
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

/** The table beside the JSON: both are the same schema. While the JSON has errors, the table shows what it was before. */
function Builder({
  kind,
  text,
  onChange,
}: {
  kind: SchemaKind;
  text: string;
  onChange: (schema: unknown) => void;
}) {
  const isSound = faultOf(text, true).text === undefined;
  const last = useRef<unknown>(undefined);
  if (isSound) last.current = text.trim() ? parsedJson(text) : emptySchema(kind);
  const given = { onChange, disabled: !isSound };
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => table.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  return (
    <div ref={table} className={css.builder}>
      {kind.id === 'state' ? (
        <SchemaBuilder label={kind.title} schema={last.current} {...given} />
      ) : (
        <MessagesBuilder
          noun={kind.id === 'events' ? 'event' : 'command'}
          schemas={last.current}
          {...given}
        />
      )}
      {!isSound && <p className={css.none}>The JSON has an error. Correct it there to go on here.</p>}
    </div>
  );
}

const emptySchema = ({ id }: SchemaKind) => (id === 'state' ? { type: 'object', properties: {} } : {});

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
