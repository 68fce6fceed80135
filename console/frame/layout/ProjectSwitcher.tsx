import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { ofOwn } from '#console/core/session.ts';
import clamp from '#console/ui/Clamp.module.css';
import { usePopover } from '#console/ui/dialog/usePopover.ts';
import { ChevronDownIcon, ProjectsIcon } from '#console/ui/icons/icons.tsx';
import { Tile } from '#console/ui/Tile.tsx';
import { listProjects, type Project, readProject } from '#contract/project.ts';
import css from './ProjectSwitcher.module.css';

const shownMax = 100;

/** Shows the current project and switches to another: type to filter, with the sample listed separately. */
export function ProjectSwitcher({ shape }: { shape: 'full' | 'icon' | 'line' }) {
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  const project = useRead(readProject, { params: { projectId: projectId ?? '' } }, { enabled: !!projectId });
  const { open, close, buttonProps, panelProps } = usePopover(panel => panel.querySelector('input')?.focus());
  // Undefined: not known yet.
  const name = projectId ? project.data?.name : 'All projects';

  return (
    <div className={css.switcher} data-shape={shape}>
      <button
        type="button"
        className={css.button}
        {...buttonProps}
        title={shape === 'icon' ? name : undefined}
      >
        <span className="visuallyHidden">Switch project, currently</span>
        {projectId ? (
          <Tile name={name ?? ''} id={projectId} />
        ) : (
          <span className={css.noTile} aria-hidden="true">
            <ProjectsIcon size={14} />
          </span>
        )}
        <span className={css.names}>
          {name === undefined ? <span className={css.unknown} /> : <b dir="auto">{name}</b>}
          <span className={css.kind}>{kindOf(projectId, project.data)}</span>
        </span>
        <ChevronDownIcon />
      </button>
      <div {...panelProps} className={css.panel}>
        {open && <Choices close={close} />}
      </div>
    </div>
  );
}

function Choices({ close }: { close: () => void }) {
  const [typed, setTyped] = useState('');
  const { data } = useRead(listProjects, { query: { ...ofOwn(), limit: shownMax } });
  const wanted = typed.trim().toLowerCase();
  const found = data?.items.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [];
  const own = found.filter(({ isSample }) => !isSample);
  const samples = found.filter(({ isSample }) => isSample);
  return (
    <>
      <input
        className={css.filter}
        aria-label="Filter projects"
        placeholder="Filter projects…"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <ul className={css.list}>
        {own.map(project => (
          <Choice key={project.id} project={project} close={close} />
        ))}
        {data && found.length === 0 && <li className={css.none}>No matching projects.</li>}
      </ul>
      {samples.length > 0 && (
        <ul className={css.list} aria-label="Sample">
          {samples.map(project => (
            <Choice key={project.id} project={project} close={close} />
          ))}
        </ul>
      )}
      <Link to="/projects" className={css.all} onClick={close}>
        All projects
      </Link>
      <Link to="/projects" hash="new" className={css.all} onClick={close}>
        Create project
      </Link>
    </>
  );
}

function Choice({ project, close }: { project: Project; close: () => void }) {
  return (
    <li>
      <Link
        to="/projects/$projectId"
        params={{ projectId: project.id }}
        className={css.choice}
        onClick={close}
        preload="intent"
      >
        <Tile name={project.name} id={project.id} />
        <span className={`${clamp.clamp} ${css.name}`} dir="auto">
          {project.name}
        </span>
        {project.isSample && <span className={css.kind}>Sample</span>}
      </Link>
    </li>
  );
}

function kindOf(projectId: string | undefined, project: Project | undefined): string {
  if (!projectId) return 'Choose a project';
  if (!project) return '';
  return project.isSample ? 'Try things out' : roleWords[project.role];
}
