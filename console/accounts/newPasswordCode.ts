import { passwordMax, passwordMin } from '#rules/passwords/passwordLength.ts';

/** The fault of a new password that can be found without asking the server: the code beside the field, if any. */
export function newPasswordCode<Name extends string>(name: Name, password: string): { [N in Name]?: string } {
  const length = [...password.normalize('NFKC')].length;
  const code = length === 0 ? 'REQUIRED' : length < passwordMin ? 'TOO_SHORT' : 'TOO_LONG';
  return length >= passwordMin && length <= passwordMax ? {} : ({ [name]: code } as { [N in Name]?: string });
}
