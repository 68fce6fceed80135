import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { schemaFault, schemaOfText, schemaText } from '#console/firmware/components/versionFields.ts';
import { JsonLines } from '#console/ui/code/JsonLines.tsx';
import { schemaMarks } from '#console/ui/code/jsonText.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type ComponentVersion, editComponentVersion } from '#contract/componentVersion.ts';
import css from './version.module.css';

interface ConfigSchemaPanelProps {
  version: ComponentVersion;
  locked: boolean;
}

/** The config that a version accepts: a change of a channel's bundle is checked against it. */
export function ConfigSchemaPanel({ version, locked }: ConfigSchemaPanelProps) {
  const { deviceConfigSchema: schema } = version;
  const [line, setLine] = useState<number>();
  return (
    <Panel
      title="Config schema"
      note="optional"
      locked={locked}
      editLabel={schema === undefined ? 'Add' : 'Edit'}
      edit={done => <SchemaForm version={version} done={done} />}
      flush={schema !== undefined}
    >
      {schema === undefined ? (
        <p className={css.quiet}>
          None. With a schema, you see before an update which devices have a config that this version does not
          accept.
        </p>
      ) : (
        <div className={css.schema}>
          <JsonLines
            label="Config schema"
            text={schemaText(schema)}
            marked={line === undefined ? undefined : [line, line]}
            onLine={setLine}
          />
        </div>
      )}
    </Panel>
  );
}

function SchemaForm({ version, done }: { version: ComponentVersion; done: () => void }) {
  const save = useCall(editComponentVersion);
  const edit = useEdit({
    row: version,
    words: { text: 'Config schema' },
    toForm: ({ deviceConfigSchema }: ComponentVersion) => ({ text: schemaText(deviceConfigSchema) }),
    check: ({ text }) => {
      const fault = schemaFault(text);
      return fault ? { text: fault } : {};
    },
    send: ({ text = '' }, ifMatch) => {
      const body = { deviceConfigSchema: schemaOfText(text) ?? null };
      return save.mutateAsync({ params: { versionId: version.id }, body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast('Config schema saved');
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <JsonField
        label="Config schema"
        autoFocus
        lines={[8, 24]}
        marks={schemaMarks(edit.failure, edit.values.text, '/deviceConfigSchema')}
        hint="A JSON Schema of the config that this version accepts. Leave it empty to remove the schema."
        onSave={() => void edit.send()}
        {...edit.field('text')}
      />
    </EditForm>
  );
}
