import type { FormOfFields, Hints } from '#console/ui/fields/FormFields.tsx';
import type { CallFailed } from '#contract/client.ts';
import type { MethodValues } from './methodFields.ts';
import css from './userAuthMethods.module.css';

type MethodForm = Pick<FormOfFields<keyof MethodValues>, 'set' | 'failure' | 'values'>;

export const methodHints = (form: MethodForm): Hints<keyof MethodValues> => ({
  'config.issuer': <IssuerHint form={form} />,
});

/** If the provider names itself differently, offers the name that it gave. */
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
