import { Link, useNavigate } from '@tanstack/react-router';
import { useCall, useRead } from '#console/core/api.ts';
import { ofOwn, session, updateDeveloper } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { useIsOnScreen } from '#console/ui/dialog/useIsOnScreen.ts';
import { Harbour } from '#console/ui/drawings.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { type Developer, editDeveloper } from '#contract/account.ts';
import { pageSizeDefault } from '#contract/paging.ts';
import { listProjects, type Project } from '#contract/project.ts';
import { FirstThings } from './FirstThings.tsx';
import css from './Welcome.module.css';

const projectsMax = 100;

/**
 * The first thing a newcomer sees: what Mooring is and where to start. Gone once the tour is started or skipped; the
 * help brings it back.
 */
export function Welcome() {
  const developer = useStore(session)?.developer;
  return developer && <Greeting developer={developer} />;
}

/** Who has this many projects of their own knows what a project is. */
const knownFrom = 3;

export function useIsWelcome(): boolean {
  const developer = useStore(session)?.developer;
  const [{ welcome }] = useUrlState();
  const { started = false, skipped = false } = developer?.onboardStates ?? {};
  const isNew = developer !== undefined && !developer.sudoer && !(started || skipped);
  const { data } = useRead(listProjects, firstPage(), { enabled: isNew });
  if (!developer || developer.sudoer) return false;
  const own = data?.items.filter(({ isSample }) => !isSample).length ?? 0;
  return (isNew && own < knownFrom) || welcome !== undefined;
}

/** The list below reads it anyway. */
const firstPage = () => ({ query: { ...ofOwn(), limit: pageSizeDefault, skip: 0 } });

/** A newcomer's are all on the first page. */
function useOwnProjects(): readonly Project[] | undefined {
  const first = useRead(listProjects, firstPage()).data;
  const hasMore = first !== undefined && first.total > first.items.length;
  const all = useRead(listProjects, { query: { ...ofOwn(), limit: projectsMax } }, { enabled: hasMore }).data;
  return hasMore ? all?.items : first?.items;
}

function Greeting({ developer: { id, name, onboardStates } }: { developer: Developer }) {
  const navigate = useNavigate();
  const [, change] = useUrlState();
  const projects = useOwnProjects();
  const sample = projects?.find(({ isSample }) => isSample);
  const invited = projects?.some(({ isSample, role }) => !isSample && role !== 'owner');
  const isOnScreen = useIsOnScreen();
  const edit = useCall(editDeveloper, {
    onDone(developer) {
      if (isOnScreen() && developer.onboardStates.started) goOn();
      else if (isOnScreen()) change({ welcome: undefined }, { replace: true });
      updateDeveloper(developer);
    },
  });
  function goOn() {
    if (sample) void navigate({ to: '/projects/$projectId', params: { projectId: sample.id } });
  }
  const mark = (flag: 'started' | 'skipped') =>
    edit.mutate({ params: { developerId: id }, body: { onboardStates: { [flag]: true } } });
  function putAway() {
    if (onboardStates.started || onboardStates.skipped) change({ welcome: undefined }, { replace: true });
    else mark('skipped');
  }
  if (!projects) return <section className={css.place} aria-busy="true" />;
  return (
    <section className={css.welcome} aria-label="Welcome">
      <div className={css.hero}>
        <div className={css.words}>
          <WhatItIs name={name} hasSample={sample !== undefined} isInvited={invited ?? false} />
          <FormError error={edit.error} />
          <div className={css.actions}>
            {sample && (
              <Button
                variant="primary"
                busy={edit.isPending}
                onClick={() => (onboardStates.started ? goOn() : mark('started'))}
              >
                Explore the sample
              </Button>
            )}
            <Link to="/projects" hash="new" className={buttonClass('plain')}>
              <PlusIcon />
              Start your project
            </Link>
            <Button variant="quiet" onClick={putAway}>
              Not now
            </Button>
          </div>
        </div>
        <div className={css.scene}>
          <Harbour />
        </div>
      </div>
      {sample && <FirstThings sample={sample} />}
    </section>
  );
}

function WhatItIs({ name, hasSample, isInvited }: { name: string; hasSample: boolean; isInvited: boolean }) {
  return (
    <>
      <h2>Welcome to Mooring, {name.split(' ')[0]}</h2>
      <p className={css.lead}>
        One place for your product: its devices, the firmware they run, its apps and the people who use them.
      </p>
      <p>
        A <b>project</b> is one product.{' '}
        {hasSample && 'A sample is ready for you. Change anything in it: nothing there is real. '}
        {isInvited ? 'Your projects are listed below.' : 'Your own project starts empty.'}
      </p>
    </>
  );
}
