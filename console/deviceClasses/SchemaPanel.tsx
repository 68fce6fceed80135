import { useCall } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { isJsonObject, jsonFault, parsedJson, schemaMarks, textOfJson } from '#console/ui/code/jsonText.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';
import { type SchemaKind, schemaNote, schemaOf } from './schemaForm.ts';

interface SchemaPanelProps {
  kind: SchemaKind;
  deviceClass: DeviceClass;
  locked: boolean;
}

export function SchemaPanel({ kind, deviceClass, locked }: SchemaPanelProps) {
  const schema = schemaOf(deviceClass, kind.field);
  return (
    <Panel
      title={kind.title}
      note={schemaNote(kind.field, schema)}
      locked={locked}
      editLabel={schema === undefined ? 'Add' : 'Edit'}
      edit={done => <SchemaEdit kind={kind} deviceClass={deviceClass} done={done} />}
    >
      {schema === undefined ? (
        <p className={css.quiet}>{kind.says}</p>
      ) : (
        <CodeSample label={kind.title} text={textOfJson(schema)} />
      )}
    </Panel>
  );
}

type SchemaEditProps = Omit<SchemaPanelProps, 'locked'> & { done: () => void };

function SchemaEdit({ kind, deviceClass, done }: SchemaEditProps) {
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
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <JsonField
        label={title}
        autoFocus
        lines={[8, 28]}
        marks={schemaMarks(edit.failure, values.text, `/${field}`)}
        hint={`${hint} Leave empty to remove it.`}
        onSave={() => void edit.send()}
        {...edit.field('text')}
      />
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

/** A state schema may be true or false; the others are always objects. */
function faultOf(text: string, mayBeBare: boolean): { text?: string } {
  if (!text.trim()) return {};
  if (jsonFault(text)) return { text: 'INVALID_JSON' };
  if (isJsonObject(text)) return {};
  return mayBeBare && typeof JSON.parse(text) === 'boolean' ? {} : { text: 'INVALID_OBJECT' };
}
