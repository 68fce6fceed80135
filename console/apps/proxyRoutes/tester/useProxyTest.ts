import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#console/core/client.ts';
import { pathOf } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { testProxyRoutes } from '#contract/proxyCall.ts';

const pauseMs = 250;

/**
 * Which route would take a call, queried again when typing pauses; the last answer stays until the next one arrives.
 */
export function useProxyTest(body: BodyOf<typeof testProxyRoutes>, enabled: boolean) {
  const [asked, setAsked] = useState(body);
  const text = JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text contains everything in the body
  useEffect(() => {
    const timer = setTimeout(() => setAsked(body), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: [pathOf(testProxyRoutes, {}), asked],
    queryFn: ({ signal }) => call(testProxyRoutes, { body: asked, signal }),
    placeholderData: keepPreviousData,
    // Does not test the body from before the user and home were known.
    enabled: enabled && JSON.stringify(asked) === text,
  });
}
