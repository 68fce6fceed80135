import type { ReactNode } from 'react';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { type EditOptions, type Revised, useEdit } from '#console/ui/edit/useEdit.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { type ChoicesOf, FormFields, type FormOfFields, type Hints } from './FormFields.tsx';
import { type FieldSpec, type FieldTable, type FieldValues, faultsIn, fieldsOf, wordsOf } from './fields.ts';

interface FieldsPanelProps<Row extends Revised, Name extends string> extends FormProps<Row, Name> {
  title: string;
  note?: ReactNode;
  locked: boolean;
  /** False: `e` opens another panel of the screen. */
  editKey?: boolean;
  /** In order: fields by name, and any other facts. */
  facts: readonly (Name | readonly [term: string, value: ReactNode])[];
}

interface FormProps<Row extends Revised, Name extends string>
  extends Pick<EditOptions<Row, FieldValues<Name>>, 'row' | 'check' | 'ask' | 'send'> {
  fields: FieldTable<Name>;
  /** The part of the row that the fields show. */
  toForm: (row: Row) => Partial<FieldValues<Name>>;
  hints?: (form: Pick<FormOfFields<Name>, 'set' | 'values' | 'failure'>) => Hints<Name>;
  /** The options of choice fields: a hook, as some are read from the server once the form is open. */
  useChoices?: (row: Row) => ChoicesOf<Name>;
  /** "Device class saved" */
  saved: string;
}

/** Facts of a row that turn into a form in place, both from the table of the noun's fields. */
export function FieldsPanel<Row extends Revised, Name extends string>({
  title,
  note,
  locked,
  editKey = true,
  facts,
  ...form
}: FieldsPanelProps<Row, Name>) {
  const { fields, toForm, row } = form;
  const values = toForm(row);
  const factOf = (name: Name) =>
    [fields[name].label, <Value key={name} spec={fields[name]} value={values[name]} />] as const;
  return (
    <Panel
      title={title}
      note={note}
      editKey={editKey}
      locked={locked}
      edit={done => <FieldsForm {...form} done={done} />}
    >
      <Facts facts={facts.map(fact => (typeof fact === 'string' ? factOf(fact) : fact))} />
    </Panel>
  );
}

function Value({ spec: { label, mono }, value }: { spec: FieldSpec; value: string | undefined }) {
  if (mono && value) return <CopyText text={value} wrap label={`Copy ${label.toLowerCase()}`} />;
  return <span dir="auto">{value || '–'}</span>;
}

function FieldsForm<Row extends Revised, Name extends string>({
  fields: table,
  toForm,
  hints,
  useChoices = noChoices,
  saved: sentence,
  check,
  done,
  ...edited
}: FormProps<Row, Name> & { done: () => void }) {
  const fields = fieldsOf(table, 'edit');
  const edit = useEdit<Row, FieldValues<Name>>({
    ...edited,
    words: wordsOf(table),
    toForm: row => toForm(row) as FieldValues<Name>,
    check: values => ({ ...faultsIn(fields, values), ...check?.(values) }),
    onDone(saved) {
      if (saved) toast(sentence);
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done}>
      <FormFields
        fields={fields}
        form={edit}
        hints={hints?.(edit)}
        choices={useChoices(edited.row)}
        autoFocus
      />
    </EditForm>
  );
}

const noChoices = () => ({});
