import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { CallFailed } from '#contract/client.ts';
import { readUserAuthTest, startUserAuthTest } from '#contract/userAuthMethod.ts';

/** Polls in case the live link is down. */
const askAgainMs = 5_000;

export type TestSignIn = ReturnType<typeof useTestSignIn>;

/**
 * A test sign-in in a window of its own. Its id is in the address, so that the other window returns to the same test.
 */
export function useTestSignIn(params: { projectId: string; methodId: string }) {
  const [{ test: testId }, change] = useUrlState();
  const [blockedUrl, setBlockedUrl] = useState<string>();
  const begin = useCall(startUserAuthTest);
  const outcome = useRead(
    readUserAuthTest,
    { params: { ...params, testId: testId ?? '' } },
    {
      enabled: testId !== undefined,
      refetchInterval: last => (last?.state === 'waiting' ? askAgainMs : false),
    },
  );

  async function start(): Promise<void> {
    // Opened right in the press: after waiting for a response, browsers would block the window.
    const opened = window.open('', '_blank');
    setBlockedUrl(undefined);
    try {
      const { testId, signInUrl } = await begin.mutateAsync({ params });
      change({ test: testId }, { replace: true });
      if (!opened) return setBlockedUrl(signInUrl);
      opened.opener = null;
      opened.location.replace(signInUrl);
    } catch (failure) {
      opened?.close();
      // The failure is shown in place of the outcome.
      if (!(failure instanceof CallFailed)) throw failure;
    }
  }

  return {
    start,
    starting: begin.isPending,
    startError: begin.error,
    testId,
    /** The address to open by hand if the browser blocked the window. */
    blockedUrl,
    outcome: testId === undefined ? undefined : outcome,
  };
}
