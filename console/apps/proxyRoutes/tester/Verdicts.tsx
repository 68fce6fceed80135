import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import shared from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import type { ProxyTest } from '#contract/proxyCall.ts';
import css from './tester.module.css';

interface VerdictsProps {
  test: ProxyTest;
  projectId: string;
  /** The saved route whose unsaved draft is being tested. */
  routeId?: string;
}

/** More than that would push what the back end receives off the screen. */
const shownMax = 5;

/** The route that takes the call, and why each of the others does not. */
export function Verdicts({ test: { routes, refusal }, projectId, routeId }: VerdictsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const isOwn = (id: string | undefined) => id === undefined || id === routeId;
  const first = routes.filter((route, at) => at < shownMax || isOwn(route.routeId));
  const more = routes.length - first.length;
  return (
    <>
      <ul className={css.verdicts} aria-label="Routes" aria-live={showsAll ? 'off' : 'polite'}>
        {(showsAll ? routes : first).map((route, at) => (
          <li key={route.routeId ?? `draft ${at}`} data-takes={route.takes || undefined}>
            {route.takes ? <CheckIcon /> : <CloseIcon />}
            <span>{route.resource}</span>
            {route.routeId === undefined || isOwn(route.routeId) ? (
              <code>{route.sourcePath}</code>
            ) : (
              <Link
                to="/projects/$projectId/proxy_routes/$routeId"
                params={{ projectId, routeId: route.routeId }}
              >
                <code>{route.sourcePath}</code>
              </Link>
            )}
            <span>{route.text}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className={css.more}>
          <Button variant="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer routes' : `Show ${more} more ${more === 1 ? 'route' : 'routes'}`}
          </Button>
        </div>
      )}
      {routes.length === 0 && !refusal && <p className={shared.empty}>There are no routes yet.</p>}
      {refusal && (
        <p className={css.refusal} role="status">
          The app is answered <code>{`${refusal.status} ${refusal.reason}`}</code>: {refusal.message}
        </p>
      )}
    </>
  );
}
