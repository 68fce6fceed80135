import { useState } from 'react';
import { useCall, useRead } from '#console/api.ts';
import { useUrlState } from '#console/urlState.ts';
import { CallFailed } from '#contract/client.ts';
import { readUserAuthTest, startUserAuthTest } from '#contract/userAuthMethod.ts';

/** Should the live link be down. */
const askAgainMs = 5_000;

export type TestSignIn = ReturnType<typeof useTestSignIn>;

/** A sign-in tried in a window of its own. Its id is in the address: the other window comes back to the same one. */
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
    // Now, by the press itself: once an answer has been waited for, browsers let no window be opened.
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
      // Shown where the outcome would be.
      if (!(failure instanceof CallFailed)) throw failure;
    }
  }

  return {
    start,
    starting: begin.isPending,
    startError: begin.error,
    testId,
    /** Where to go by hand, because the browser opened no window. */
    blockedUrl,
    outcome: testId === undefined ? undefined : outcome,
  };
}
