import { type Query, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { CallFailed, createClient, type Input, pathOf, type Result } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { banner } from './banner.ts';
import { recordCall } from './calls.ts';
import { madeOldBy } from './invalidation.ts';
import { isLeaving, whenNotLeaving } from './leavingProject.ts';
import { askForPassword, type ProofOutcome } from './passwordProof.ts';
import { compareClocks } from './serverClock.ts';
import { endSession, lastDeveloper, saveTarget, session, touchSession } from './session.ts';
import { discardUnsaved, hasUnsaved } from './unsaved.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallFailed;
  }
}

const client = createClient({ baseUrl: '/api', onCall: recordCall, onAnswered: compareClocks });

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
      // Send requests even if the browser reports that it is offline: an error explains the problem, a paused query
      // does not.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && isPassing(error),
      retryDelay: count => 400 * 2 ** count,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Calls the listener for each read that has failed for good; the router decides whether to leave the screen. */
export function onReadFailed(listener: (error: CallFailed, path: string) => void): void {
  failureListeners.add(listener);
}

/**
 * Makes a call, with what all calls have in common: a successful answer extends the session, `REAUTH_REQUIRED` asks for
 * the password and repeats the call, and when the session has ended it is forgotten, with the current address stored
 * for after the next sign-in.
 */
export async function call<E extends Endpoint>(endpoint: E, input?: Input<E>): Promise<Result<E>> {
  const by = session.get()?.developer.id;
  const send = client.call as (endpoint: E, input?: Input<E>) => Promise<Result<E>>;
  try {
    const result = await send(endpoint, input);
    if (endpoint.access !== 'public') touchSession();
    return result;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.reason === 'REAUTH_REQUIRED' && (await askForPassword()) === 'proven')
      return send(endpoint, input);
    if (endpoint.access !== 'public' && isSignedOut(error)) {
      const again = await signInAgain(error);
      if (again === 'proven') return send(endpoint, input);
      // Nobody was asked, so the page stays with what was typed.
      if (again === 'given up') forgetSession(error, by);
    }
    throw error;
  }
}

/** The query options of a read, both for loaders that read ahead and for `useRead`. */
export function readOptions<E extends Endpoint>(endpoint: E, input: Input<E>) {
  const { params, query } = input as { params?: Record<string, string>; query?: Record<string, unknown> };
  const path = pathOf(endpoint, params ?? {});
  return queryOptions<Result<E>>({
    queryKey: [path, query ?? {}],
    async queryFn({ signal }) {
      await whenNotLeaving(path, query);
      signal.throwIfAborted();
      return call(endpoint, { ...input, signal });
    },
  });
}

/** Removes what was read during a session that has ended. */
export function forgetReads(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'organization' });
}

/**
 * Invalidates the reads that a call affects, as declared by its endpoint; those on screen are refetched. `useCall` does
 * this automatically; this is for calls made in another way, or whose effect comes later than their answer.
 */
export function invalidate(endpoint: Endpoint, params: Record<string, string> = {}): Promise<void> {
  return invalidatePaths(madeOldBy([{ path: pathOf(endpoint, params), makesOld: endpoint.makesOld }]));
}

/** Invalidates cached reads that have one of the words in their path. */
export function invalidateReads(words: readonly string[] = []): void {
  void invalidatePaths(path => path.split('/').some(part => words.includes(part)));
}

export function invalidatePaths(isOld: (path: string) => boolean): Promise<void> {
  return reread(
    ({ queryKey: [path, query] }) =>
      typeof path === 'string' && isOld(path) && !isLeaving(path, query as object | undefined),
  );
}

export function invalidateAll(): Promise<void> {
  return reread(() => true);
}

/** A first read in flight may return the old state, so it is repeated after its answer. */
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

/** When a read was last requested: its answer may be as old as that, however long it took. */
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
  return reason === 'NO_LOGIN' || reason === 'ACCOUNT_SUSPENDED' || reason === 'LOGIN_ORG_MISMATCH';
}

/**
 * Unsaved changes survive a session that has ended: the developer signs in again in a dialog over them, and the call is
 * repeated.
 */
async function signInAgain({ reason }: CallFailed): Promise<ProofOutcome> {
  // A support session has no password.
  if (reason !== 'NO_LOGIN' || !hasUnsaved() || lastDeveloper()?.sudoer) return 'given up';
  return askForPassword('ended');
}

/** A late answer about a session that has ended says nothing about the one that somebody else has started since. */
function forgetSession({ reason, message }: CallFailed, by: string | undefined): void {
  if (!session.get() || session.get()?.developer.id !== by) return;
  discardUnsaved(true);
  const { pathname, search, hash } = window.location;
  saveTarget(pathname + search + hash);
  if (reason !== 'NO_LOGIN') banner.set({ text: message, reason });
  endSession();
}
