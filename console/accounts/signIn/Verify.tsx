import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call, invalidate } from '#console/core/client.ts';
import { session, startSession, updateDeveloper } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { verify } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { useLinkParts } from './useLinkParts.ts';
import { type VerifyState as State, titleOf } from './verifyState.ts';

export function Verify() {
  const { token } = useLinkParts();
  const [state, setState] = useState<State>(token ? 'PENDING' : 'INVALID_LINK');
  const [failure, setFailure] = useState<CallFailed>();
  const asked = useRef(false);
  const developer = useStore(session)?.developer;

  async function ask() {
    if (!token) return;
    setState('PENDING');
    setFailure(undefined);
    try {
      const { email, developer, session: opened } = await call(verify, { body: { token } });
      if (developer && opened) startSession({ developer, session: opened });
      const signedIn = session.get()?.developer;
      if (signedIn) updateDeveloper({ ...signedIn, email, verified: true });
      void invalidate(verify);
      setState('SUCCESS');
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      setFailure(error);
      setState(error.reason === 'ALREADY_VERIFIED' ? 'ALREADY_VERIFIED' : 'INVALID_LINK');
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the link works once, so it is followed once
  useEffect(() => {
    if (!asked.current) void ask();
    asked.current = true;
  }, []);

  const passing = failure?.reason === 'CONNECTION_ERROR' || (failure?.status ?? 0) >= 500;
  return (
    <AuthCard title={titleOf(state, failure?.reason)} sub={<Words state={state} failure={failure} />}>
      <div className={authForm} role="status">
        {passing && (
          <Button variant="primary" onClick={() => void ask()}>
            Try again
          </Button>
        )}
        {(state === 'SUCCESS' || state === 'ALREADY_VERIFIED') && (
          <Link to={developer ? '/projects' : '/login'} className={buttonClass('primary')}>
            {developer ? 'Go to your projects' : 'Sign in'}
          </Link>
        )}
        {state === 'INVALID_LINK' && !passing && (
          <Link to={developer ? '/account' : '/login'} className={buttonClass('plain')}>
            {developer ? 'Go to your account' : 'Sign in to request a new one'}
          </Link>
        )}
      </div>
    </AuthCard>
  );
}

function Words({ state, failure }: { state: State; failure: CallFailed | undefined }) {
  if (state === 'PENDING') return 'This takes a moment.';
  if (state === 'SUCCESS') return 'Thank you. You now have access to everything.';
  return (
    <>
      {failure?.message ?? reasons.INVALID_LINK[1]} <code>{state}</code>
    </>
  );
}
