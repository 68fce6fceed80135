import type { ReactNode } from 'react';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import type { FieldSpec, FieldValues } from './fields.ts';

export type FormOfFields<Name extends string> = ReturnType<typeof useForm<FieldValues<Name>>>;
export type Hints<Name extends string> = { [N in Name]?: ReactNode };
/** The options of choice fields. */
export type ChoicesOf<Name extends string> = { [N in Name]?: readonly string[] | undefined };

interface FormFieldsProps<Name extends string> {
  fields: readonly [Name, FieldSpec][];
  form: Pick<FormOfFields<Name>, 'field'>;
  /** Hints that depend on the typed values. */
  hints?: Hints<Name> | undefined;
  choices?: ChoicesOf<Name> | undefined;
  autoFocus?: boolean;
}

/** The fields of a form, from the table of its noun. */
export function FormFields<Name extends string>({
  fields,
  form,
  hints,
  choices,
  autoFocus = false,
}: FormFieldsProps<Name>) {
  return fields.map(([name, spec], at) => (
    <FormField
      key={name}
      {...spec}
      choices={choices?.[name]}
      {...(hints?.[name] && { hint: hints[name], keepsHint: true })}
      {...form.field(name)}
      autoFocus={autoFocus && at === 0}
    />
  ));
}

interface FormFieldProps extends FieldSpec {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  autoFocus: boolean;
  choices: readonly string[] | undefined;
  keepsHint?: boolean;
}

function FormField({
  control,
  max,
  mono = false,
  rows,
  type,
  required,
  check,
  say,
  choices = [],
  autoFocus,
  ...field
}: FormFieldProps) {
  if (control === 'choice') {
    // The current value stays an option, also while the others are loading.
    const values = choices.includes(field.value) ? choices : [field.value, ...choices];
    return <SelectField {...field} options={values.map(value => ({ value, label: value }))} />;
  }
  const common = { ...field, autoFocus, maxLength: max };
  if (control === 'secret') return <PasswordField autoComplete="new-password" {...common} />;
  if (control === 'text') return <TextArea dir="auto" rows={rows ?? 3} {...common} />;
  // Ids and keys are not prose, so they are not spell-checked.
  const prose = mono || type ? { spellCheck: false } : { dir: 'auto' };
  return <TextField autoComplete="off" {...prose} mono={mono} type={type ?? 'text'} {...common} />;
}
