import { useForm } from '#console/ui/form/useForm.ts';
import { auth2FCodeLength, codeOf } from './auth2FCode.ts';

export type CodeForm = ReturnType<typeof useCodeForm>;

/** Spaces are removed, more than 6 characters is an error, and only exactly 6 are sent. */
export function useCodeForm(submit: (code: string) => Promise<unknown>) {
  return useForm({
    initial: { code: '' },
    check: ({ code }) => {
      if (code.length > auth2FCodeLength) return { code: 'AUTH_CODE_EXCEED_LENGTH' };
      return code.length < auth2FCodeLength ? { code: code ? 'TOO_SHORT' : 'REQUIRED' } : {};
    },
    submit: ({ code }) => submit(codeOf(code)),
  });
}
