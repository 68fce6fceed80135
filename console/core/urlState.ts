import { useLocation, useMatch, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

/** The query string as plain text; absent and empty values are left out. */
export type UrlState = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): UrlState {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(state: Record<string, unknown>): string {
  const given = Object.entries(state).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // Both are allowed in a query string, and are easier to read unescaped.
  return text && `?${text.replaceAll('%3A', ':').replaceAll('%2C', ',')}`;
}

/** Everything that a screen shows is in its address, so that the link can be sent to a colleague. */
export function useUrlState(): [UrlState, (change: UrlState, options?: { replace?: boolean }) => void] {
  const state = useLocation({ select: location => location.search as UrlState });
  const navigate = useNavigate();
  const ownsAddress = useOwnsAddress();
  const change = useCallback(
    (next: UrlState, { replace = false } = {}) => {
      if (!ownsAddress()) return;
      const search = (before: UrlState) => ({ ...before, ...next });
      // Keeps an open dialog open.
      void navigate({ to: '.', search: search as never, hash: true, replace, resetScroll: false });
    },
    [navigate, ownsAddress],
  );
  return [state, change];
}

/**
 * Whether the address is still that of the screen: what ends late may not change the address of another, which may be
 * loading while this one is still shown.
 */
function useOwnsAddress(): () => boolean {
  const router = useRouter();
  const here = useRef('');
  here.current = useMatch({ strict: false, select: ({ id }) => id });
  return useCallback(
    () => router.matchRoutes(router.latestLocation).some(({ id }) => id === here.current),
    [router],
  );
}

/** A dialog with an address: `#new` opens it, Back closes it. */
export function useHashDialog(hash: string): { open: boolean; show: () => void; hide: () => void } {
  const open = useLocation({ select: location => location.hash === hash });
  const navigate = useNavigate();
  const router = useRouter();
  return {
    open,
    show: () =>
      void navigate({ to: '.', search: true as never, hash, state: { fromHere: true }, resetScroll: false }),
    hide() {
      // If the dialog was opened by a link with the hash, there is no history entry of ours to go back to.
      if (router.state.location.state.fromHere) router.history.back();
      else void navigate({ to: '.', search: true as never, hash: '', replace: true, resetScroll: false });
    },
  };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The dialog was opened from the screen under it. */
    fromHere?: boolean;
  }
}
