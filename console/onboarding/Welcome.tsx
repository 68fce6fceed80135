import { Link, useNavigate } from '@tanstack/react-router';
import { useCall, useRead } from '#console/api.ts';
import { session, updateDeveloper } from '#console/session.ts';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { useUrlState } from '#console/urlState.ts';
import { type Developer, editDeveloper } from '#contract/account.ts';
import { listProjects } from '#contract/project.ts';
import css from './NextSteps.module.css';
import { WhatItIs } from './WhatItIs.tsx';

const projectsMax = 100;

/**
 * The first thing a newcomer sees: what this is and where to begin. Gone once the tour is started or skipped; the help
 * brings it back.
 */
export function Welcome() {
  const developer = useStore(session)?.developer;
  const [{ welcome }] = useUrlState();
  if (!developer || developer.sudoer) return null;
  const { started, skipped } = developer.onboardStates;
  return (started || skipped) && !welcome ? null : <Greeting developer={developer} />;
}

function Greeting({ developer: { id, onboardStates } }: { developer: Developer }) {
  const navigate = useNavigate();
  const [, change] = useUrlState();
  const { data: projects } = useRead(listProjects, { query: { limit: projectsMax } });
  const sample = projects?.items.find(({ isSample }) => isSample);
  const invited = projects?.items.some(({ isSample, role }) => !isSample && role !== 'owner');
  const edit = useCall(editDeveloper, {
    onDone(developer) {
      if (developer.onboardStates.started) goOn();
      else change({ welcome: undefined }, { replace: true });
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
  if (!projects) return null;
  return (
    <Panel title="Welcome">
      <div className={css.welcome}>
        <WhatItIs>
          {sample && (
            <>
              A <b>sample</b> is ready for you. Look around and change anything: nothing there is real.{' '}
            </>
          )}
          {invited ? 'Your projects are listed below.' : 'Your own project starts empty.'}
        </WhatItIs>
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
          <Link to="/projects" hash="new">
            Start your project
          </Link>
          <Button variant="quiet" onClick={putAway}>
            Not now
          </Button>
        </div>
      </div>
    </Panel>
  );
}
