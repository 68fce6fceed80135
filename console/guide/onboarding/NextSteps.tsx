import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { ofOwn } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { listProjects, type Project } from '#contract/project.ts';
import { readStats } from '#contract/stats.ts';
import { listMembers } from '#contract/team.ts';
import css from './NextSteps.module.css';
import { StepsLine, StepsPlace } from './StepsLine.tsx';
import { projectSteps, type Step, tourSteps } from './steps.ts';
import { useAnyDevice } from './useAnyDevice.ts';
import { useOnboarding } from './useOnboarding.ts';
import { WhatItIs } from './WhatItIs.tsx';

/**
 * The next steps: in the sample project the tour, in other projects the steps to set it up. Hidden once all are done.
 */
export function NextSteps({ project }: { project: Project }) {
  return project.isSample ? <Tour project={project} /> : <OwnProject project={project} />;
}

function Tour({ project }: { project: Project }) {
  const { developer, set, busy } = useOnboarding();
  const router = useRouter();
  const [justStarted, setJustStarted] = useState(false);
  const device = useAnyDevice(project.id);
  const { data: projects } = useRead(listProjects, { query: { ...ofOwn(), limit: 2 } });
  if (!developer) return null;
  const { started, skipped } = developer.onboardStates;
  const begin = () => {
    setJustStarted(true);
    set('started');
  };
  const ownProject = { ...ownProjectStep, done: (projects?.total ?? 0) > 1 };
  const exists = (to: string) => to in router.routesByPath;
  if (skipped && !started) return <Resume onResume={begin} busy={busy} />;
  if (started && device === undefined) return <StepsPlace place={project.id} />;
  const steps = [...tourSteps(project, { developer, deviceId: device?.id, exists }), ownProject];
  if (started) return <StepsLine title="Your tour" place={project.id} steps={steps} focus={justStarted} />;
  return (
    <Panel title="Welcome">
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
  const { data: members, error: noMembers } = useRead(listMembers, { params });
  const { data: stats, error: noStats } = useRead(readStats, { params });
  const device = useAnyDevice(project.id);
  if (project.role === 'viewer') return null;
  // Errors are shown by the panels below; without these reads, the next step is not known.
  if ((noMembers && !members) || (noStats && !stats)) return null;
  if (!developer || !members || !stats || device === undefined) return <StepsPlace place={project.id} />;
  const devices = stats.devices.reduce((sum, { claimed, unclaimed }) => sum + claimed + unclaimed, 0);
  const steps = projectSteps(project, {
    teamSize: members.length,
    classes: stats.devices.length,
    devices,
    deviceId: device?.id,
    developer,
  });
  return <StepsLine title="Next steps" place={project.id} steps={steps} />;
}
