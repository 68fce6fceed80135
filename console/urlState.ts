import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The query string as plain text; a value that is absent or empty is not in the address. */
export type UrlState = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): UrlState {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(state: Record<string, unknown>): string {
  const given = Object.entries(state).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // Both are allowed in a query string and read better as they are.
  return text && `?${text.replaceAll('%3A', ':').replaceAll('%2C', ',')}`;
}

/** Everything a screen shows is in its address, so that it can be sent to a colleague. */
export function useUrlState(): [UrlState, (change: UrlState, options?: { replace?: boolean }) => void] {
  const state = useLocation({ select: location => location.search as UrlState });
  const navigate = useNavigate();
  const change = useCallback(
    (next: UrlState, { replace = false } = {}) => {
      const search = (before: UrlState) => ({ ...before, ...next });
      // A dialog that is open stays so.
      void navigate({ to: '.', search: search as never, hash: true, replace, resetScroll: false });
    },
    [navigate],
  );
  return [state, change];
}

/** A dialog that is an address: `#new` opens it, Back closes it. */
export function useHashDialog(hash: string): { open: boolean; show: () => void; hide: () => void } {
  const open = useLocation({ select: location => location.hash === hash });
  const navigate = useNavigate();
  const router = useRouter();
  return {
    open,
    show: () =>
      void navigate({ to: '.', search: true as never, hash, state: { fromHere: true }, resetScroll: false }),
    hide() {
      // Whoever came by a link with the hash has nothing of ours to go back to.
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
