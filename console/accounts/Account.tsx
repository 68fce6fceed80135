import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useRead } from '#console/core/api.ts';
import { saveTarget, session, updateDeveloper } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { AlertMailsPanel } from '#console/devices/alerts/AlertMailsPanel.tsx';
import { Button } from '#console/ui/Button.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { readDeveloper } from '#contract/account.ts';
import { reasons } from '#contract/problem.ts';
import { AccessTokensPanel } from './AccessTokensPanel.tsx';
import css from './accounts.module.css';
import { PasswordPanel } from './PasswordPanel.tsx';
import { ProfilePanel } from './ProfilePanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { OutboxHint } from './signIn/OutboxHint.tsx';
import { ResendVerification } from './signIn/ResendVerification.tsx';
import { TwoFactorPanel } from './TwoFactorPanel.tsx';

/** Opens without a session: the screen then says so and offers to sign in. */
export function Account() {
  const kept = useStore(session);
  return kept ? <OwnAccount developerId={kept.developer.id} /> : <SignedOut />;
}

function OwnAccount({ developerId }: { developerId: string }) {
  const read = useRead(readDeveloper, { params: { developerId } });
  const { data } = read;
  useEffect(() => {
    if (data) updateDeveloper({ ...data, ...sudoerKept() });
  }, [data]);
  return (
    <Screen title="Account" width="form">
      <ReadState read={read} what="Your account" skeleton={<Skeleton lines={6} />} />
      {data && (
        <>
          {!data.verified && <VerifyHint email={data.email} />}
          <Columns
            side={
              <>
                <TwoFactorPanel developer={data} />
                <PasswordPanel developer={data} />
              </>
            }
          >
            <ProfilePanel developer={data} />
            <SessionsPanel developer={data} />
            {data.verified && <AlertMailsPanel developerId={data.id} />}
            <AccessTokensPanel developer={data} />
          </Columns>
        </>
      )}
    </Screen>
  );
}

/** A read of the account may leave out who acts in a support session, so it is kept from the sign-in. */
function sudoerKept(): { sudoer?: string } {
  const sudoer = session.get()?.developer.sudoer;
  return sudoer === undefined ? {} : { sudoer };
}

function SignedOut() {
  const navigate = useNavigate();
  return (
    <Screen title="Account" width="form">
      <EmptyState
        title="You are not signed in"
        action={
          <Button
            variant="primary"
            onClick={() => {
              saveTarget(window.location.pathname);
              void navigate({ to: '/login' });
            }}
          >
            Sign in
          </Button>
        }
      >
        Sign in to view and edit your account.
      </EmptyState>
    </Screen>
  );
}

/** What to do before any project opens, and why this screen is shown instead. */
function VerifyHint({ email }: { email: string }) {
  return (
    <>
      <div className={css.hint} role="status">
        <p>
          {reasons.UNVERIFIED_ACCOUNT[1]} We sent a link to <b>{email}</b>. Follow it to verify your address.
        </p>
        <ResendVerification email={email} />
      </div>
      <OutboxHint />
    </>
  );
}
