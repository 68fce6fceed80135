import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import type { CallFailed } from '#contract/client.ts';
import type { MethodValues } from './methodForm.ts';
import css from './userAuthMethods.module.css';

type MethodForm = Pick<ReturnType<typeof useForm<MethodValues>>, 'field' | 'set' | 'failure' | 'values'>;

interface MethodFieldsProps {
  form: MethodForm;
  /** True: it exists, and so has a secret already. */
  existing?: boolean;
}

/** What adding and editing share. */
export function MethodFields({ form, existing = false }: MethodFieldsProps) {
  return (
    <>
      <TextField
        label="Label"
        hint="Shown to users: the provider’s name as they know it."
        autoComplete="off"
        maxLength={100}
        dir="auto"
        {...form.field('label')}
      />
      {existing && (
        <TextArea label="Description" rows={2} maxLength={1000} dir="auto" {...form.field('description')} />
      )}
      <TextField
        label="Issuer"
        hint={<IssuerHint form={form} />}
        mono
        type="url"
        placeholder="https://login.example.com"
        autoComplete="off"
        spellCheck={false}
        {...form.field('config.issuer')}
      />
      <TextField
        label="Client id"
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        {...form.field('config.clientId')}
      />
      <PasswordField
        label="Client secret"
        hint={
          existing
            ? 'Leave empty to keep the stored secret. A different issuer needs its own.'
            : 'Stored encrypted and never shown again.'
        }
        autoComplete="new-password"
        maxLength={2000}
        {...form.field('config.clientSecret')}
      />
      <TextField
        label="Icon address (optional)"
        hint="Fetched once, when you save: PNG, JPEG, GIF, WebP or ICO, at most 100 kB."
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.field('iconUrl')}
      />
    </>
  );
}

/** A provider that names itself otherwise has told what to write instead. */
function IssuerHint({ form }: { form: MethodForm }) {
  const found = foundIn(form.failure);
  if (found === undefined || found === form.values['config.issuer'])
    return 'Its discovery document is read when you save.';
  return (
    <button type="button" className={css.take} onClick={() => form.set('config.issuer', found)}>
      Use <code>{found}</code>
    </button>
  );
}

function foundIn(error: CallFailed | undefined): string | undefined {
  if (error?.reason !== 'ISSUER_MISMATCH') return undefined;
  return (error.context as { found?: string } | undefined)?.found;
}
