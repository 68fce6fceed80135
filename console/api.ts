import {
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { CallFailed, createClient, type Input, pathOf, type Result } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { banner } from './banner.ts';
import { recordCall } from './calls.ts';
import { madeOldBy } from './invalidation.ts';
import { isLeaving } from './leavingProject.ts';
import { askForPassword } from './passwordProof.ts';
import { endSession, lastDeveloper, saveTarget, session, touchSession } from './session.ts';
import { discardUnsaved, hasUnsaved } from './unsaved.ts';
import { useIsHere } from './useIsHere.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallFailed;
  }
}

const client = createClient({ baseUrl: '/api', onCall: recordCall });

const failureListeners = new Set<(error: CallFailed, path: string) => void>();

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey: [path] }) => {
      if (error instanceof CallFailed) for (const listener of failureListeners) listener(error, String(path));
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Ask even when the browser believes to be offline: the answer says what is wrong, a pause says nothing.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && isPassing(error),
      retryDelay: count => 400 * 2 ** count,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Tells of each read that failed for good; the router decides whether that means to leave the screen. */
export function onReadFailed(listener: (error: CallFailed, path: string) => void): void {
  failureListeners.add(listener);
}

/**
 * One call, with what every call has in common: an answer renews the session, `REAUTH_REQUIRED` asks for the password
 * and repeats, and a session that is over is forgotten, the place kept for after the next login.
 */
export async function call<E extends Endpoint>(endpoint: E, input?: Input<E>): Promise<Result<E>> {
  const send = client.call as (endpoint: E, input?: Input<E>) => Promise<Result<E>>;
  try {
    const result = await send(endpoint, input);
    if (endpoint.access !== 'public') touchSession();
    return result;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.reason === 'REAUTH_REQUIRED' && (await askForPassword())) return send(endpoint, input);
    if (endpoint.access !== 'public' && isSignedOut(error)) {
      if (await signedInAgain(error)) return send(endpoint, input);
      forgetSession(error);
    }
    throw error;
  }
}

/** What a read needs, for loaders that fetch ahead and for `useRead` alike. */
export function readOptions<E extends Endpoint>(endpoint: E, input: Input<E>) {
  const { params, query } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
  return queryOptions<Result<E>>({
    queryKey: [pathOf(endpoint, params ?? {}), query ?? {}],
    queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
  });
}

interface ReadOptions<E extends Endpoint> {
  enabled?: boolean | undefined;
  /** Milliseconds after which to ask again; as a function, by what was answered last. */
  refetchInterval?: number | false | ((last: Result<E> | undefined) => number | false) | undefined;
}

/** Reads through the cache. A list keeps its previous page until the next one is there. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { enabled = true, refetchInterval = false }: ReadOptions<E> = {},
): UseQueryResult<Result<E>, CallFailed> {
  const options = readOptions(endpoint, input);
  // Only of the same list: another project's rows under this one's name would be a lie.
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

/** A list is named by its path, and where that does not say whose it is, by what its query says of it. */
function whoseList([path, query]: readonly unknown[] = []): string {
  const { projectId, deviceClass, userId } = (query ?? {}) as Record<string, unknown>;
  return JSON.stringify([path, projectId, deviceClass, userId]);
}

interface CallOptions<E extends Endpoint> {
  onDone?: ((result: Result<E>, input: Input<E>) => void) | undefined;
}

/**
 * Makes a call that changes something, and invalidates the cached reads it makes old. `mutateAsync` is answered only while
 * the component is on screen: whoever has left is not led away from where they are now, nor is another dialog closed.
 */
export function useCall<E extends Endpoint>(
  endpoint: E,
  { onDone }: CallOptions<E> = {},
): UseMutationResult<Result<E>, CallFailed, Input<E>> {
  const isHere = useIsHere();
  const mutation = useMutation<Result<E>, CallFailed, Input<E>>({
    mutationFn: (input: Input<E>) => call(endpoint, input),
    onSuccess: (result, input) => {
      const { params, query } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
      // What an edit answers is what a read would: on screen at once, not after another round trip.
      if (endpoint.method === 'PATCH' && result)
        queryClient.setQueryData([pathOf(endpoint, params ?? {}), query ?? {}], result);
      onDone?.(result, input);
      const reread = invalidate(endpoint, params);
      // What a PUT answers belongs to a read of another path: it is over when that one shows it.
      return endpoint.method === 'PUT' ? reread : undefined;
    },
  });
  const mutateAsync: typeof mutation.mutateAsync = async (...asked) => {
    const result = await mutation.mutateAsync(...asked);
    return isHere() ? result : new Promise(() => {});
  };
  return { ...mutation, mutateAsync };
}

/** Forgets what was read under a session that is over. */
export function forgetReads(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'organization' });
}

/**
 * Invalidates what a call makes old, as its endpoint declares it: reads on screen are fetched anew. `useCall` does it by
 * itself; this is for calls that are made otherwise, or that are over later than they answer.
 */
export function invalidate(endpoint: Endpoint, params: Record<string, string> = {}): Promise<void> {
  return invalidatePaths(madeOldBy([{ path: pathOf(endpoint, params), makesOld: endpoint.makesOld }]));
}

/** Invalidates cached reads that have one of the words in their path. */
export function invalidateReads(words: readonly string[] = []): void {
  void invalidatePaths(path => path.split('/').some(part => words.includes(part)));
}

export function invalidatePaths(isOld: (path: string) => boolean): Promise<void> {
  return reread(({ queryKey: [path] }) => typeof path === 'string' && isOld(path) && !isLeaving(path));
}

export function invalidateAll(): Promise<void> {
  return reread(() => true);
}

/** What is read for the first time just now may be answered as it was before: it is read again after that. */
export async function reread(isOld: (query: Query) => boolean): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ predicate: isOld, fetchStatus: 'fetching' });
  const again = underWay
    .filter(({ state }) => state.data === undefined)
    .map(async query => {
      await query.fetch().catch(() => undefined);
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    });
  await Promise.all([queryClient.invalidateQueries({ predicate: isOld }), ...again]);
}

/** When a read was last asked for: what it answers may be as old as that, however long the answer took. */
export const askedAt = new WeakMap<Query, number>();
queryClient.getQueryCache().subscribe(event => {
  if (event.type === 'updated' && event.action.type === 'fetch') askedAt.set(event.query, Date.now());
});

function isPassing(error: Error): boolean {
  return (
    error instanceof CallFailed && (error.reason === 'CONNECTION_ERROR' || error.reason === 'UNAVAILABLE')
  );
}

function isSignedOut({ reason }: CallFailed): boolean {
  return reason === 'NO_LOGIN' || reason === 'ACCOUNT_SUSPENDED';
}

/** What was typed survives a session that ended: one signs in again in a dialog over it, and the call is repeated. */
async function signedInAgain({ reason }: CallFailed): Promise<boolean> {
  // A support session has no password.
  if (reason !== 'NO_LOGIN' || !hasUnsaved() || lastDeveloper()?.sudoer) return false;
  return askForPassword('ended');
}

function forgetSession({ reason, message }: CallFailed): void {
  if (!session.get()) return;
  discardUnsaved(true);
  const { pathname, search, hash } = window.location;
  saveTarget(pathname + search + hash);
  if (reason === 'ACCOUNT_SUSPENDED') banner.set({ text: message, reason });
  endSession();
}
