import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead, useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { leavingProject, projectOf } from '#console/core/leavingProject.ts';
import { session } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';
import { deleteProject, type Project } from '#contract/project.ts';
import { readStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './settings.module.css';

export function DeletePanel({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  const inSudo = session.get()?.developer.sudoer !== undefined;
  const may = project.role === 'owner' && !inSudo;
  const start = () => setAsking(true);
  useActions(may ? [{ label: 'Delete project', run: start }] : []);
  return (
    <Panel title="Delete project" note="owner only">
      <div className={css.apart}>
        <p className={css.quiet}>
          Deletes the project and everything in it, immediately and permanently.
          {project.role !== 'owner' && ' Only an owner of the project can delete it.'}
          {project.role === 'owner' && inSudo && ` ${reasons.NOT_IN_SUDO[1]}`}
        </p>
        {may && (
          <Button className={css.final} onClick={start}>
            Delete project
          </Button>
        )}
      </div>
      {asking && <ConfirmDeletion project={project} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function ConfirmDeletion({ project, onClose }: { project: Project; onClose: () => void }) {
  const router = useRouter();
  const submit = useSubmit();
  const params = { projectId: project.id };
  const { data: stats } = useRead(readStats, { params });
  const devices = stats?.devices.reduce((sum, { claimed, unclaimed }) => sum + claimed + unclaimed, 0);

  async function remove() {
    await leavingProject(project.id, async () => {
      const deletion = await submit(deleteProject, { params }).catch(unlessGone);
      if (projectOf(router.state.location.pathname) === project.id)
        await router.navigate({ to: '/projects', search: { deletion: deletion?.deletionId } as never });
    });
    void invalidate(deleteProject, params);
  }

  return (
    <Confirm
      title="Delete project"
      verb="Delete project"
      typedName={project.name}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        Do you really want to delete project <b dir="auto">{project.name}</b>?
      </p>
      <ul className={css.lost}>
        {(devices !== 0 || stats?.users !== 0) && (
          <li>
            {counted(devices, 'device')} and {counted(stats?.users, 'user')} lose access immediately, and so
            do apps and other clients.
          </li>
        )}
        <li>Firmware, settings, templates, smart modules, statistics and logs are removed.</li>
        <li>The team loses access. This cannot be undone.</li>
      </ul>
    </Confirm>
  );
}

/** Somebody else has deleted it. */
function unlessGone(failure: unknown): undefined {
  if (!(failure instanceof CallFailed) || failure.reason !== 'PROJECT_NOT_FOUND') throw failure;
}

function counted(count: number | undefined, noun: string): string {
  if (count === undefined) return `All ${noun}s`;
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
