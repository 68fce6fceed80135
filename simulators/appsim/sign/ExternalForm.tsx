import { Button } from '#console/ui/Button.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { isObject } from '#rules/json/mergePatch.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import type { Tokens } from '#sdk/app.ts';
import css from '../phone/phone.module.css';
import type { AppSimulation } from '../simulation.ts';

/** Users of this project have no password here: the developer's own back end starts their sessions. */
export function ExternalForm({ simulation: { app } }: { simulation: AppSimulation }) {
  const form = useForm({
    initial: { tokens: '' },
    check: ({ tokens }) => (tokensIn(tokens) ? {} : { tokens: 'INVALID_OBJECT' }),
    submit: async ({ tokens }) => {
      const given = tokensIn(tokens);
      if (given) await app.startWith(given);
    },
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <p className={css.quiet}>
        Your back end creates the users of this project. Start a session with its key (
        <a href="/docs/service" target="_blank" rel="noopener" className={css.link}>
          service API
        </a>
        ), and paste the answer.
      </p>
      <FormError error={form.error} />
      <TextArea
        label="Answer of the session call"
        mono
        rows={6}
        spellCheck={false}
        {...form.field('tokens')}
      />
      <div className={css.wide}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Sign in
        </Button>
      </div>
    </form>
  );
}

function tokensIn(text: string): Tokens | undefined {
  const parsed = parseStrictJson(text);
  const value: unknown = parsed.ok ? parsed.value : undefined;
  const names = ['accessToken', 'accessExpiresAt', 'refreshToken', 'sessionId', 'sessionExpiresAt'];
  if (!isObject(value) || names.some(name => typeof value[name] !== 'string') || !isObject(value.user))
    return undefined;
  return value as object as Tokens;
}
