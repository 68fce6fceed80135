import type { ReactNode } from 'react';
import type { Words } from '#console/ui/code/differences.ts';

/** One field of a noun, as its forms and its facts show it. */
export interface FieldSpec {
  label: string;
  hint?: ReactNode;
  /** `line` unless said otherwise; what can be chosen is given to the form. */
  control?: 'line' | 'text' | 'secret' | 'choice';
  /** Characters, from the contract. */
  max?: number;
  required?: boolean;
  /** What else can be said before asking the server: a reason code. Not asked of what is empty and may be. */
  check?: (value: string) => string | undefined;
  /** For ids, keys, addresses: copied rather than read. */
  mono?: boolean;
  type?: 'email' | 'url';
  placeholder?: string;
  rows?: number;
  /** How a value reads where two are compared, if not as it is. */
  say?: (value: string) => string;
}

type Forms = 'create' | 'edit';

/**
 * The fields of a noun, in the order of its forms: one table for the form that creates it, the form that edits it and the
 * facts. `create` and `edit` say where one of the forms differs; false leaves the field out there.
 */
export type FieldTable<Name extends string> = {
  readonly [N in Name]: FieldSpec & { readonly [F in Forms]?: Partial<FieldSpec> | false };
};

export type FieldValues<Name extends string> = Record<Name, string>;

/** The fields that one of the forms has. */
export function fieldsOf<Name extends string>(table: FieldTable<Name>, form: Forms): [Name, FieldSpec][] {
  return namesOf(table)
    .filter(name => table[name][form] !== false)
    .map(name => {
      const { create, edit, ...spec }: FieldTable<Name>[Name] = table[name];
      return [name, { ...(spec as FieldSpec), ...(form === 'create' ? create : edit) }];
    });
}

/** What a form of the noun begins with. */
export function emptyValues<Name extends string>(table: FieldTable<Name>): FieldValues<Name> {
  return Object.fromEntries(namesOf(table).map(name => [name, ''])) as FieldValues<Name>;
}

/** The reason codes of what cannot be sent as it is. */
export function faultsIn<Name extends string>(
  fields: readonly [Name, FieldSpec][],
  values: FieldValues<Name>,
): Partial<FieldValues<Name>> {
  const codes = fields.map(([name, spec]) => [name, faultOf(spec, values[name].trim())]);
  return Object.fromEntries(codes.filter(([, code]) => code !== undefined)) as Partial<FieldValues<Name>>;
}

/** What each field is called where a difference is shown. */
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
