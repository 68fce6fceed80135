import { forgetCalls } from '#console/core/calls.ts';
import { forgetReads, onReadFailed } from '#console/core/client.ts';
import { isLeaving, projectOf } from '#console/core/leavingProject.ts';
import { readCurrentOrganization } from '#console/core/organization.ts';
import { askForPassword, waitingForProof } from '#console/core/passwordProof.ts';
import { wayOut } from '#console/core/routeFailures.ts';
import { isValid, session, takeTarget } from '#console/core/session.ts';
import { discardUnsaved, hasUnsaved } from '#console/core/unsaved.ts';
import { router } from './routes.tsx';

const signingIn = ['/login', '/auth2f', '/sudo', '/activate'];

/**
 * Reacts to events outside the router: a session that starts or ends, here or in another tab, and reads whose failure
 * leads to another screen.
 */
export function watchRouter(): void {
  let before = whoIsIn();
  // The guards used the organization from the last time.
  readCurrentOrganization().then(
    ({ id }) => {
      const kept = session.get();
      if (kept && kept.developer.orgId !== id) void router.invalidate();
    },
    () => undefined,
  );
  session.subscribe(() => {
    const now = whoIsIn();
    if (now === before) return;
    // The same developer signed in again over unsaved changes: no data here belongs to anyone else.
    if (now && now === askingFor) {
      before = now;
      // Unless that was in this tab, where the dialog says so itself.
      waitingForProof.get()?.done('proven');
      return;
    }
    const left = before;
    before = now;
    const isLeft = (left ?? askingFor) && (hasUnsaved() || waitingForProof.get());
    if (now && isLeft) startAfresh();
    else if (now) goOn();
    else void leave(left);
  });
  onReadFailed((error, path) => {
    const to = isGuarded() && isAboutHere(path) ? wayOut(error) : undefined;
    if (to && to !== router.state.location.pathname) void router.navigate({ to, replace: true });
  });
}

/**
 * A late failure about a project that has been left, or is being left, must not navigate away from the current screen.
 */
function isAboutHere(path: string): boolean {
  const projectId = projectOf(path);
  return (
    projectId === undefined || (projectOf(router.latestLocation.pathname) === projectId && !isLeaving(path))
  );
}

function whoIsIn(): string | undefined {
  const kept = session.get();
  return isValid(kept) ? `${kept.developer.id} ${kept.developer.sudoer ?? ''}` : undefined;
}

/**
 * Somebody else is signed in now, in another tab: what was typed by the person before, or asked of them, may not stay on
 * their page.
 */
function startAfresh(): void {
  discardUnsaved(true);
  window.location.reload();
}

/** Opens the target from before the sign-in, or else the start page. */
function goOn(): void {
  forgetReads();
  // The guards run again: another tab may have signed in to another organization.
  if (!signingIn.includes(router.state.location.pathname)) return void router.invalidate();
  const target = takeTarget();
  if (target) router.history.replace(target);
  else void router.navigate({ to: '/', replace: true });
}

/** The developer who is asked to sign in again in place, after another tab signed out. */
let askingFor: string | undefined;

async function leave(left: string | undefined): Promise<void> {
  if (isGuarded() && hasUnsaved()) {
    askingFor = left;
    const again = await askForPassword('ended');
    askingFor = undefined;
    if (again !== 'given up') return;
    discardUnsaved(true);
  }
  if (isGuarded()) await router.navigate({ to: '/login', replace: true });
  forgetReads();
  forgetCalls();
}

function isGuarded(): boolean {
  return router.state.matches.some(match => match.staticData.guarded);
}
