import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useSignOut } from '#console/accounts/useSignOut.ts';
import { serverAway } from '#console/core/live/serverAway.ts';
import { useServerWatch } from '#console/core/live/useServerWatch.ts';
import { session } from '#console/core/session.ts';
import { staleBundle } from '#console/core/staleBundle.ts';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import css from '#console/ui/screen/Band.module.css';
import shellCss from './Shell.module.css';

/** Messages about the whole console, across the top of every screen. */
export function Bands() {
  const bands = useRef<HTMLDivElement>(null);
  useHeight(bands);
  useServerWatch();
  return (
    <div ref={bands} className={shellCss.bands}>
      <SudoBand />
      <AwayBand />
      <StaleBand />
    </div>
  );
}

/** Tells the style sheets how high the bands are, so that the rail ends at the bottom of the screen. */
function useHeight(of: { current: HTMLElement | null }): void {
  useEffect(() => {
    const { current } = of;
    if (!current) return undefined;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty('--bands', `${current.offsetHeight}px`));
    observer.observe(current);
    return () => observer.disconnect();
  }, [of]);
}

/** Marks a support session for as long as it lasts. */
function SudoBand() {
  const developer = useStore(session)?.developer;
  const signOut = useSignOut();
  if (!developer?.sudoer) return null;
  return (
    <section className={[css.band, css.dark].join(' ')} aria-label="Support session">
      <p>
        <b>{developer.sudoer}</b> is acting as <b>{developer.name}</b> &lt;{developer.email}&gt;.
      </p>
      <Button busy={signOut.busy} onClick={signOut.run}>
        End
      </Button>
    </section>
  );
}

function AwayBand() {
  const online = useSyncExternalStore(watchConnection, () => navigator.onLine);
  const away = useStore(serverAway);
  return (
    <div role="status">
      {(away || !online) && (
        <div className={css.band}>
          <p>
            {online ? 'Mooring does not answer.' : 'You are offline.'} This page may be out of date; it
            refreshes when the connection is back.
          </p>
        </div>
      )}
    </div>
  );
}

function StaleBand() {
  const stale = useStore(staleBundle);
  return (
    <div role="status">
      {stale && (
        <div className={css.band}>
          <p>
            Part of the console could not be loaded, possibly because there is a newer version. Reload to
            continue.
          </p>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
      )}
    </div>
  );
}

function watchConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
