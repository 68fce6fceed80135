import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { readCurrentOrganization } from '#console/core/organization.ts';
import { Button } from '#console/ui/Button.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { startVerification } from '#contract/account.ts';

/** Sends the verification e-mail again, and then shows a confirmation in place of the button. */
export function ResendVerification({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const { send, saving, error } = useForm({
    initial: {},
    async submit() {
      const { id: orgId } = await readCurrentOrganization();
      await call(startVerification, { body: { orgId, email } });
      setSent(true);
    },
  });
  if (sent) return <span role="status">Verification email sent.</span>;
  return (
    <>
      <Button busy={saving} onClick={() => void send()}>
        Resend e-mail
      </Button>
      <FormError error={error} />
    </>
  );
}
