import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallFailed, type Input, pathOf, type Result } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { call, invalidate, queryClient, readOptions } from './client.ts';
import { showNotSaved } from './submit/notSaved.ts';
import type { createSubmissionKeys } from './submit/submissionKeys.ts';
import { useIsHere } from './useIsHere.ts';

interface ReadOptions<E extends Endpoint> {
  enabled?: boolean | undefined;
  /** The interval in milliseconds; as a function, it depends on the last answer. */
  refetchInterval?: number | false | ((last: Result<E> | undefined) => number | false) | undefined;
}

/** Reads through the cache. A list keeps its previous page until the next one arrives. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { enabled = true, refetchInterval = false }: ReadOptions<E> = {},
): UseQueryResult<Result<E>, CallFailed> {
  const options = readOptions(endpoint, input);
  // Only for the same list: another project's rows under this project's name would be wrong.
  const previousPage = (previous: unknown, query: { queryKey: readonly unknown[] } | undefined) =>
    whoseList(query?.queryKey) === whoseList(options.queryKey) ? previous : undefined;
  return useQuery({
    ...options,
    enabled,
    refetchInterval:
      typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
    ...(endpoint.list && { placeholderData: previousPage as never }),
  });
}

/** A list is identified by its path and, if the path does not name its owner, by the ids in its query. */
function whoseList([path, query]: readonly unknown[] = []): string {
  const { projectId, deviceClass, userId } = (query ?? {}) as Record<string, unknown>;
  return JSON.stringify([path, projectId, deviceClass, userId]);
}

interface CallOptions<E extends Endpoint> {
  onDone?: ((result: Result<E>, input: Input<E>) => void) | undefined;
}

/**
 * Makes a call that changes something, and invalidates the cached reads that it affects. `mutateAsync` resolves only
 * while the component is on screen: someone who has left the screen must not be navigated away from where they are now,
 * nor have another dialog closed.
 */
export function useCall<E extends Endpoint>(
  endpoint: E,
  { onDone }: CallOptions<E> = {},
): UseMutationResult<Result<E>, CallFailed, Input<E>> {
  const isHere = useIsHere();
  const submit = useSubmit();
  const mutation = useMutation<Result<E>, CallFailed, Input<E>>({
    mutationFn: (input: Input<E>) => submit(endpoint, input),
    // A form merges a stale edit and sends it again, and says itself if it cannot.
    onError: error => !isHere() && error.reason !== 'STALE' && showNotSaved(error),
    onSuccess: (result, input) => {
      const { params, query } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
      // An edit returns what a read would, so it is shown at once, without another round trip.
      if (endpoint.method === 'PATCH' && result)
        queryClient.setQueryData([pathOf(endpoint, params ?? {}), query ?? {}], result);
      onDone?.(result, input);
      const reread = invalidate(endpoint, params);
      // The result of a PUT belongs to a read with another path, so the call ends only when that read shows it.
      return endpoint.method === 'PUT' ? reread : undefined;
    },
  });
  const mutateAsync: typeof mutation.mutateAsync = async (...asked) => {
    const result = await mutation.mutateAsync(...asked);
    return isHere() ? result : new Promise(() => {});
  };
  return { ...mutation, mutateAsync };
}

type Submission = ReturnType<typeof createSubmissionKeys>;
let newSubmission = (): Submission => (_, input, send) => send(input);

/** The frame brings the keys along: the sign-in, which is the first thing that anyone loads, needs none. */
export function submitWith(create: () => Submission): void {
  newSubmission = create;
}

/** Makes the calls of one form or button. */
export type Submit = ReturnType<typeof useSubmit>;

/**
 * `call` for a form or button: while it is on screen, a submission that is repeated because no answer came is made only
 * once.
 */
export function useSubmit() {
  const [withKey] = useState(newSubmission);
  return <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Result<E>> =>
    withKey(endpoint, input, keyed => call(endpoint, keyed));
}
