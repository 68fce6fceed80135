import type { ReactNode } from 'react';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { type ChoicesOf, FormFields, type FormOfFields, type Hints } from './FormFields.tsx';
import { emptyValues, type FieldTable, type FieldValues, faultsIn, fieldsOf } from './fields.ts';

interface FieldsDialogProps<Name extends string> {
  /** "Add device" */
  title: string;
  form: FormOfFields<Name>;
  fields: FieldTable<Name>;
  hints?: Hints<Name>;
  choices?: ChoicesOf<Name>;
  onClose: () => void;
  /** Shown above the fields. */
  children?: ReactNode;
}

/** An add form generated from the table of a noun's fields; `useCreateForm` provides its form. */
export function FieldsDialog<Name extends string>({
  fields,
  hints,
  choices,
  children,
  ...dialog
}: FieldsDialogProps<Name>) {
  return (
    <CreateDialog {...dialog}>
      {children}
      <FormFields fields={fieldsOf(fields, 'create')} form={dialog.form} hints={hints} choices={choices} />
    </CreateDialog>
  );
}

/** The state of an add form: empty except for the given values, and with the faults that the table can find. */
export function useCreateForm<Name extends string>(
  fields: FieldTable<Name>,
  submit: (values: FieldValues<Name>) => Promise<unknown>,
  initial: Partial<FieldValues<Name>> = {},
): FormOfFields<Name> {
  return useForm<FieldValues<Name>>({
    initial: { ...emptyValues(fields), ...initial },
    check: values => faultsIn(fieldsOf(fields, 'create'), values),
    submit,
  });
}
