import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { shared } from '#console/core/clientStorage.ts';
import { Button, IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import css from './StepsLine.module.css';
import type { Step } from './steps.ts';

interface StepsLineProps {
  title: string;
  /** The project: steps hidden in one are still shown in another. */
  place: string;
  steps: readonly Step[];
  /** True: the button that showed the steps is gone, and the focus moves here. */
  focus?: boolean;
}

const keyOf = (place: string) => `steps hidden ${place}`;

/** Reserves the space of the line until the next step is known; nothing if the line was hidden. */
export function StepsPlace({ place }: Pick<StepsLineProps, 'place'>) {
  return shared.read(keyOf(place)) === undefined && <section className={css.frame} aria-busy="true" />;
}

/** The next step on one line, and all steps behind it. Gone once all are done, or if hidden. */
export function StepsLine({ title, place, steps, focus = false }: StepsLineProps) {
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(() => shared.read(keyOf(place)) !== undefined);
  const next = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (focus) next.current?.focus();
  }, [focus]);
  const first = steps.find(({ done }) => !done);
  const isOver = first === undefined;
  useEffect(() => {
    // So that no space is reserved next time.
    if (isOver) shared.write(keyOf(place), 'yes');
  }, [isOver, place]);
  if (hidden || !first) return null;
  const done = steps.filter(step => step.done).length;
  function hide() {
    shared.write(keyOf(place), 'yes');
    setHidden(true);
  }
  return (
    <section className={css.frame} aria-label={title}>
      <div className={css.line}>
        <Ring part={done / steps.length} />
        <p className={css.next}>
          Next:{' '}
          <Link ref={next} {...first.link}>
            {first.title}
          </Link>
          <span className={css.says}>{first.says}</span>
        </p>
        <span className={css.progress}>
          {done} of {steps.length}
          <span> done</span>
        </span>
        <Button variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          All steps
        </Button>
        <IconButton label="Hide" onClick={hide}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
      {open && <All steps={steps} />}
    </section>
  );
}

function All({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className={css.steps}>
      {steps.map(({ id, title, says, link, done }) => (
        <li key={id} data-done={done || undefined}>
          <span className={css.mark}>{done && <CheckIcon size={13} />}</span>
          <Link {...link} className={css.step}>
            {title}
            {done && <span className="visuallyHidden"> (done)</span>}
          </Link>
          <span className={css.about}>{says}</span>
        </li>
      ))}
    </ul>
  );
}

function Ring({ part }: { part: number }) {
  const around = 2 * Math.PI * 6;
  return (
    <svg className={css.ring} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" />
      <circle className={css.ringPart} cx="8" cy="8" r="6" strokeDasharray={`${part * around} ${around}`} />
    </svg>
  );
}
