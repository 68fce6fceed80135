import { useEffect, useRef } from 'react';
import { TextField } from '#console/ui/form/TextField.tsx';
import { auth2FCodeLength, codeOf } from './auth2FCode.ts';
import type { CodeForm } from './useCodeForm.ts';

/** Six digits; the form is sent with the sixth. */
export function AuthCodeField({ form, label = 'Code' }: { form: CodeForm; label?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const { code } = form.values;
  const tooLong = code.length > auth2FCodeLength;

  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once, when the sixth character arrives
  useEffect(() => {
    if (code.length === auth2FCodeLength) void form.send(field.current?.form ?? undefined);
  }, [code]);

  return (
    <TextField
      label={label}
      mono
      autoFocus
      inputMode="numeric"
      autoComplete="one-time-code"
      ref={field}
      {...form.field('code')}
      error={tooLong ? 'AUTH_CODE_EXCEED_LENGTH' : form.field('code').error}
      onChange={typed => form.set('code', codeOf(typed))}
    />
  );
}
