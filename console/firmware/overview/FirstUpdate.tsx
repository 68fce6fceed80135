import { Link, type LinkProps } from '@tanstack/react-router';
import { buttonClass } from '#console/ui/Button.tsx';
import { Buoy } from '#console/ui/drawings.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import css from './firmwareOverview.module.css';
import type { UpdateStep } from './firstUpdateSteps.ts';

interface FirstUpdateProps {
  projectId: string;
  steps: readonly UpdateStep[];
  /** Shown above existing content; otherwise it is the whole screen. */
  isPanel?: boolean;
}

/** The steps to the first update, with a button for the next one. */
export function FirstUpdate({ projectId, steps, isPanel = false }: FirstUpdateProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isPanel)
    return (
      <Panel title="Your first update" note={`${done} of ${steps.length} done`}>
        <Steps projectId={projectId} steps={steps} />
      </Panel>
    );
  return (
    <section className={css.first} aria-label="Your first update">
      <Buoy />
      <h2>Your first update</h2>
      <p>From a file to a device that runs it.</p>
      <Steps projectId={projectId} steps={steps} />
    </section>
  );
}

function Steps({ projectId, steps }: Omit<FirstUpdateProps, 'isPanel'>) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className={css.steps}>
      {steps.map(({ title, says, verb, link: { to, hash, search, ...ids }, isDone }, at) => (
        <li key={title} data-done={isDone || undefined} aria-current={at === next ? 'step' : undefined}>
          <span className={css.number} aria-hidden="true">
            {isDone ? <CheckIcon size={12} /> : at + 1}
          </span>
          <div>
            <b>{title}</b>
            {isDone && <span className="visuallyHidden"> (done)</span>}
            <p>{says}</p>
          </div>
          {at === next && (
            <Link
              {...({ to, params: { projectId, ...ids }, hash, search } as LinkProps)}
              className={buttonClass('primary')}
            >
              {verb}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}
