import { Link } from '@tanstack/react-router';
import shared from '#console/proxyRoutes/proxyRoutes.module.css';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import type { ProxyTest } from '#contract/proxyCall.ts';
import css from './tester.module.css';

interface VerdictsProps {
  test: ProxyTest;
  projectId: string;
  /** The route that is not saved yet: the draft of a route that is. */
  routeId?: string;
}

/** The route that takes the call, and why each other does not. */
export function Verdicts({ test: { routes, refusal }, projectId, routeId }: VerdictsProps) {
  return (
    <>
      <ul className={css.verdicts} aria-label="Routes" aria-live="polite">
        {routes.map((route, at) => (
          <li key={route.routeId ?? `draft ${at}`} data-takes={route.takes || undefined}>
            {route.takes ? <CheckIcon /> : <CloseIcon />}
            <span>{route.resource}</span>
            {route.routeId === undefined || route.routeId === routeId ? (
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
      {routes.length === 0 && !refusal && <p className={shared.empty}>There are no routes yet.</p>}
      {refusal && (
        <p className={css.refusal} role="status">
          The app is answered <code>{`${refusal.status} ${refusal.reason}`}</code>: {refusal.message}
        </p>
      )}
    </>
  );
}
