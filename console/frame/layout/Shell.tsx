import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { submitWith } from '#console/core/api.ts';
import { useLiveLink } from '#console/core/live/useLiveLink.ts';
import { useStore } from '#console/core/store.ts';
import { createSubmissionKeys } from '#console/core/submit/submissionKeys.ts';
import { useOnboardingPlaces } from '#console/guide/onboarding/useOnboarding.ts';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { Toasts } from '#console/ui/dialog/Toast.tsx';
import { useFocusKept } from '#console/ui/focus/useFocusKept.ts';
import { endOpening, Later } from '#console/ui/screen/Later.tsx';
import { NoticeBand } from '#console/ui/screen/NoticeBand.tsx';
import { Bands } from './Bands.tsx';
import { Overlays } from './overlays/Overlays.tsx';
import { closeOverlay, overlay } from './overlays/overlay.ts';
import { useShortcuts } from './overlays/useShortcuts.ts';
import { Rail } from './Rail.tsx';
import css from './Shell.module.css';
import { TopBar } from './TopBar.tsx';
import { useFrameActions } from './useFrameActions.ts';
import { useRailMode } from './useRailMode.ts';

submitWith(createSubmissionKeys);

/** The frame of every screen behind the sign-in. */
export function Shell() {
  const router = useRouter();
  useEffect(() => {
    // Once the user acts, content that takes over the focus or that a key looks for must be there without delay.
    window.addEventListener('focusin', endOpening, { once: true });
    window.addEventListener('keydown', endOpening, { once: true });
    return router.subscribe('onBeforeNavigate', ({ fromLocation }) => fromLocation && endOpening());
  }, [router]);
  return (
    <Later>
      <Frame />
    </Later>
  );
}

function Frame() {
  const mode = useRailMode();
  const over = useStore(overlay);
  const main = useRef<HTMLElement>(null);
  useFrameActions();
  useShortcuts();
  useFocusOnArrival(main);
  useFocusKept();
  useOnboardingPlaces();
  useLiveLink();
  return (
    <div className={css.shell}>
      {/* A button instead of a link, because the hash of the address is used for dialogs. */}
      <button type="button" className={css.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Bands />
      <div className={css.frame} data-mode={mode}>
        {mode !== 'drawer' && (
          <div className={css.rail}>
            <Rail mode={mode} />
          </div>
        )}
        <div className={css.side}>
          <TopBar mode={mode} />
          <main ref={main} tabIndex={-1} className={css.main}>
            <div className={css.notice}>
              <NoticeBand />
            </div>
            <Outlet />
          </main>
        </div>
      </div>
      {over === 'rail' && mode === 'drawer' && (
        <Dialog title="Menu" shape="rail" bare onClose={closeOverlay}>
          <Rail mode="drawer" />
        </Dialog>
      )}
      <Overlays />
      <Toasts />
    </div>
  );
}

/**
 * Leaving a screen closes any overlay; on arrival, the focus moves to the new screen's content, unless an overlay was
 * opened on the way.
 */
function useFocusOnArrival(main: { current: HTMLElement | null }): void {
  const heading = useRouterState({ select: state => state.location.pathname });
  const arrived = useRouterState({
    select: state => state.resolvedLocation && placeOf(state.resolvedLocation),
  });
  const before = useRef({ heading, arrived });
  useEffect(() => {
    if (before.current.heading !== heading) closeOverlay();
    if (before.current.arrived !== undefined && before.current.arrived !== arrived && !overlay.get())
      focusOn(main.current, before.current.arrived);
    before.current = { heading, arrived };
  }, [heading, arrived, main]);
}

/** A form that replaces a screen counts as another place with the same path. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) =>
  'new' in search ? `${pathname} new` : pathname;

/**
 * Focuses the row of the screen that was left, if it is in the list, so that the keyboard continues there; otherwise
 * the content.
 */
function focusOn(main: HTMLElement | null, cameFrom: string): void {
  const path = cameFrom.replace(/\/$/, '');
  const links = [...(main?.querySelectorAll<HTMLAnchorElement>('tr a') ?? [])];
  const row = links.find(({ pathname }) => pathname.replace(/\/$/, '').endsWith(path));
  (row ?? main)?.focus({ preventScroll: true });
}
