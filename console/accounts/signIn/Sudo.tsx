import { call } from '#console/core/client.ts';
import { useOrganization } from '#console/core/organization.ts';
import { startSession } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { startSudo } from '#contract/account.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { BrokenLink } from './BrokenLink.tsx';
import { useLinkParts } from './useLinkParts.ts';

/**
 * Starts a support session, after a confirmation: a link that signed in by itself would let anyone put someone else's
 * session into a browser.
 */
export function Sudo() {
  const { sudoer, orgId, email, token } = useLinkParts();
  const organization = useOrganization();
  const form = useForm({
    initial: {},
    submit: async () => {
      if (!sudoer || !orgId || !email || !token) return;
      startSession(await call(startSudo, { body: { sudoer, orgId, email, token } }));
    },
  });
  if (!sudoer || !orgId || !email || !token) return <BrokenLink />;
  if (organization.data && organization.data.id !== orgId) return <BrokenLink reason="ORG_MISMATCHED" />;
  return (
    <AuthCard
      title="Start a support session"
      sub={
        <>
          You, <b>{sudoer}</b>, will act as <b>{email}</b> for at most one hour. Everything you do is recorded
          under your name.
        </>
      }
    >
      <form onSubmit={form.onSubmit} className={authForm}>
        {organization.isPending ? (
          <Skeleton lines={1} />
        ) : (
          <Button type="submit" variant="primary" busy={form.saving}>
            Start session
          </Button>
        )}
        <FormError error={form.error ?? organization.error} />
      </form>
    </AuthCard>
  );
}
