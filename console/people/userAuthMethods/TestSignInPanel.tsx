import type { ReactNode } from 'react';
import { buttonClass } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import type { UserAuthTest } from '#contract/userAuthMethod.ts';
import { Claims } from './Claims.tsx';
import css from './userAuthMethods.module.css';
import type { TestSignIn } from './useTestSignIn.ts';

/** The outcome of a test sign-in, both in this window and in the one that it continued in. */
export function TestSignInPanel({ test }: { test: TestSignIn }) {
  const { startError, outcome } = test;
  return (
    <Panel title="Test sign-in" flush>
      <div role="status">
        {startError && <Said>{<FormError error={startError} />}</Said>}
        {!startError && !outcome && (
          <Said>
            <p className={css.quiet}>
              Opens the provider in a new window, as your users will see it, and shows here what it returns
              about the user. No user is registered.
            </p>
          </Said>
        )}
        {!startError && outcome && !outcome.data && (
          <Said>{outcome.error ? <FormError error={outcome.error} /> : <Skeleton lines={2} />}</Said>
        )}
        {!startError && outcome?.data && <Outcome outcome={outcome.data} blockedUrl={test.blockedUrl} />}
      </div>
    </Panel>
  );
}

function Outcome({ outcome, blockedUrl }: { outcome: UserAuthTest; blockedUrl: string | undefined }) {
  const { state, fault, claims = {} } = outcome;
  if (state === 'waiting')
    return (
      <Said>
        <StatePill shape="plain" tone="busy" word="Waiting for the sign-in" />
        <p className={css.quiet}>
          {blockedUrl
            ? 'Your browser blocked the window. Open the provider yourself and come back; this page updates by itself.'
            : 'Continue in the other window; this page updates by itself. You have 10 minutes.'}
        </p>
        {blockedUrl && (
          <a href={blockedUrl} target="_blank" rel="noopener noreferrer" className={buttonClass('plain')}>
            Open the provider
          </a>
        )}
      </Said>
    );
  if (state === 'failed')
    return (
      <Said>
        <StatePill shape="plain" tone="danger" word="Failed" />
        <p className={css.fault}>{fault}</p>
      </Said>
    );
  return (
    <>
      <Said>
        <StatePill shape="plain" tone="ok" word="Signed in" />
        <p className={css.quiet}>The claims from the provider. They are deleted within an hour.</p>
      </Said>
      <Claims claims={claims} />
    </>
  );
}

function Said({ children }: { children: ReactNode }) {
  return <div className={css.said}>{children}</div>;
}
