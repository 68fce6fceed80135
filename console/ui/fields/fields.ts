import type { ReactNode } from 'react';
import type { Words } from '#console/ui/code/differences.ts';

/** One field of a noun, as shown in its forms and facts. */
export interface FieldSpec {
  label: string;
  hint?: ReactNode;
  /** The default is `line`; the options of a choice are passed to the form. */
  control?: 'line' | 'text' | 'secret' | 'choice';
  /** In characters, from the contract. */
  max?: number;
  required?: boolean;
  /** A further check in the browser, which returns a reason code. Not called for an empty optional field. */
  check?: (value: string) => string | undefined;
  /** For ids, keys, addresses: copied rather than read. */
  mono?: boolean;
  type?: 'email' | 'url';
  placeholder?: string;
  rows?: number;
  /** How a value is described when two are compared, if not as it is. */
  say?: (value: string) => string;
}

type Forms = 'create' | 'edit';

/**
 * The fields of a noun, in the order of its forms: one table for the create form, the edit form and the facts. `create`
 * and `edit` say where a form differs; false leaves the field out of that form.
 */
export type FieldTable<Name extends string> = {
  readonly [N in Name]: FieldSpec & { readonly [F in Forms]?: Partial<FieldSpec> | false };
};

export type FieldValues<Name extends string> = Record<Name, string>;

/** The fields of one of the forms. */
export function fieldsOf<Name extends string>(table: FieldTable<Name>, form: Forms): [Name, FieldSpec][] {
  return namesOf(table)
    .filter(name => table[name][form] !== false)
    .map(name => {
      const { create, edit, ...spec }: FieldTable<Name>[Name] = table[name];
      return [name, { ...(spec as FieldSpec), ...(form === 'create' ? create : edit) }];
    });
}

/** The initial values of a noun's form. */
export function emptyValues<Name extends string>(table: FieldTable<Name>): FieldValues<Name> {
  return Object.fromEntries(namesOf(table).map(name => [name, ''])) as FieldValues<Name>;
}

/** The reason codes of values that cannot be sent as they are. */
export function faultsIn<Name extends string>(
  fields: readonly [Name, FieldSpec][],
  values: FieldValues<Name>,
): Partial<FieldValues<Name>> {
  const codes = fields.map(([name, spec]) => [name, faultOf(spec, values[name].trim())]);
  return Object.fromEntries(codes.filter(([, code]) => code !== undefined)) as Partial<FieldValues<Name>>;
}

/** The label of each field in a difference. */
export function wordsOf<Name extends string>(table: FieldTable<Name>): Words<FieldValues<Name>> {
  const words = namesOf(table).map(name => {
    const { label, say } = table[name];
    return [name, say ? { label, say } : label];
  });
  return Object.fromEntries(words) as Words<FieldValues<Name>>;
}

function faultOf({ required, check }: FieldSpec, value: string): string | undefined {
  if (value === '' && required) return 'REQUIRED';
  return value === '' ? undefined : check?.(value);
}

function namesOf<Name extends string>(table: FieldTable<Name>): Name[] {
  return Object.keys(table) as Name[];
}
