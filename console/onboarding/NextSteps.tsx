import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '#console/api.ts';
import { useAnyDevice } from '#console/onboarding/useAnyDevice.ts';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { listMembers } from '#contract/member.ts';
import { listProjects, type Project } from '#contract/project.ts';
import { readStats } from '#contract/stats.ts';
import css from './NextSteps.module.css';
import { projectSteps, type Step, tourSteps } from './steps.ts';
import { useOnboarding } from './useOnboarding.ts';
import { WhatItIs } from './WhatItIs.tsx';

/** What to do next: in the sample project the tour, in one's own what makes it one's own. Gone once all is done. */
export function NextSteps({ project }: { project: Project }) {
  return project.isSample ? <Tour project={project} /> : <OwnProject project={project} />;
}

function Tour({ project }: { project: Project }) {
  const { developer, set, busy } = useOnboarding();
  const router = useRouter();
  const [justStarted, setJustStarted] = useState(false);
  const device = useAnyDevice(project.id);
  const { data: projects } = useRead(listProjects, { query: { limit: 2 } });
  if (!developer || device === undefined) return null;
  const { started, skipped } = developer.onboardStates;
  const begin = () => {
    setJustStarted(true);
    set('started');
  };
  const ownProject = { ...ownProjectStep, done: (projects?.total ?? 0) > 1 };
  const exists = (to: string) => to in router.routesByPath;
  const steps = [...tourSteps(project, { developer, deviceId: device?.id, exists }), ownProject];
  if (started && steps.every(({ done }) => done)) return null;
  if (skipped && !started) return <Resume onResume={begin} busy={busy} />;
  return (
    <Panel title={started ? 'Your tour' : 'Welcome'} note={started && progress(steps)}>
      {!started && (
        <div className={css.welcome}>
          <WhatItIs>
            This one is a <b>sample</b>. Look around and change anything: nothing here is real.
          </WhatItIs>
          <div className={css.actions}>
            <Button variant="primary" busy={busy} onClick={begin}>
              Show me around
            </Button>
            <Button variant="quiet" onClick={() => set('skipped')}>
              Skip
            </Button>
            <Link to="/projects" hash="new">
              Start your project
            </Link>
          </div>
        </div>
      )}
      {started && (
        <Steps
          steps={steps}
          lead="Explore in any order: each place you visit is ticked off."
          focus={justStarted}
        />
      )}
    </Panel>
  );
}

const ownProjectStep: Omit<Step, 'done'> = {
  id: 'own',
  title: 'Start your own project',
  says: 'Create an empty project. The sample stays for trying things out.',
  link: { to: '/projects', hash: 'new' },
};

function Resume({ onResume, busy }: { onResume: () => void; busy: boolean }) {
  return (
    <p className={css.resume}>
      You skipped the tour of this sample project.{' '}
      <Button variant="quiet" busy={busy} onClick={onResume}>
        Take it now
      </Button>
    </p>
  );
}

function OwnProject({ project }: { project: Project }) {
  const { developer } = useOnboarding();
  const params = { projectId: project.id };
  const { data: members } = useRead(listMembers, { params });
  const { data: stats } = useRead(readStats, { params });
  const device = useAnyDevice(project.id);
  if (!developer || !members || !stats || device === undefined || project.role === 'viewer') return null;
  const devices = stats.devices.reduce((sum, { claimed, unclaimed }) => sum + claimed + unclaimed, 0);
  const steps = projectSteps(project, {
    teamSize: members.length,
    classes: stats.devices.length,
    devices,
    deviceId: device?.id,
    developer,
  });
  if (steps.every(({ done }) => done)) return null;
  return (
    <Panel title="Next steps" note={progress(steps)}>
      <Steps steps={steps} lead="Set up your project. This list disappears when you finish." />
    </Panel>
  );
}

interface StepsProps {
  steps: readonly Step[];
  /** What the list is about. */
  lead: string;
  /** True: the button that showed them is gone, and the keyboard goes on here. */
  focus?: boolean;
}

function Steps({ steps, lead, focus = false }: StepsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (focus) list.current?.querySelector('a')?.focus();
  }, [focus]);
  return (
    <>
      {steps.length > 1 && <p className={css.lead}>{lead}</p>}
      <ul ref={list} className={css.steps}>
        {steps.map(({ id, title, says, link, done }) => (
          <li key={id} data-done={done || undefined}>
            <span className={css.mark}>{done && <CheckIcon size={13} />}</span>
            <Link {...link} className={css.step}>
              {title}
              {done && <span className="visuallyHidden"> (done)</span>}
            </Link>
            <span className={css.says}>{says}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function progress(steps: readonly Step[]): string {
  return `${steps.filter(({ done }) => done).length} of ${steps.length} done`;
}
