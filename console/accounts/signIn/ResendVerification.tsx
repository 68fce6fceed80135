import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { readCurrentOrganization } from '#console/core/organization.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { startVerification } from '#contract/account.ts';

/** Sends the verification e-mail again, and then shows a confirmation in place of the button. */
export function ResendVerification({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const send = useCall(startVerification, { onDone: () => setSent(true) });
  if (sent) return <span role="status">Verification email sent.</span>;
  return (
    <>
      <Button
        busy={send.isPending}
        onClick={async () => send.mutate({ body: { orgId: (await readCurrentOrganization()).id, email } })}
      >
        Resend e-mail
      </Button>
      <FormError error={send.error} />
    </>
  );
}
