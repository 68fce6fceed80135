import { useState } from 'react';
import { ListeningFields } from '#console/modules/form/ListeningFields.tsx';
import type { ModuleForm } from '#console/modules/form/ModuleForm.ts';
import { Button } from '#console/ui/Button.tsx';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import css from './rule.module.css';

/** When the condition is evaluated: the events and classes on one line, which opens for editing. */
export function ListensLine({ projectId, form }: { projectId: string; form: ModuleForm }) {
  const { values } = form;
  const { names } = parseSubscribedEvents(values.subscribedEvents);
  const hasError = form.field('subscribedEvents').error !== undefined;
  const [open, setOpen] = useState(names.length === 0);
  return (
    <div className={css.listens}>
      <p>
        <span>When</span>
        {names.length === 0 ? (
          <i>nothing yet</i>
        ) : (
          names.map(name => <code key={name}>{eventWord(name)}</code>)
        )}
        <span>from</span>
        {values.deviceClasses.length === 0 ? (
          <code>all classes</code>
        ) : (
          values.deviceClasses.map(id => <code key={id}>{id}</code>)
        )}
        <Button variant="quiet" aria-expanded={open || hasError} onClick={() => setOpen(!open)}>
          {open ? 'Close' : 'Change'}
        </Button>
      </p>
      {(open || hasError) && <ListeningFields projectId={projectId} form={form} />}
    </div>
  );
}

const eventWord = (name: string) => (name === '*' ? 'any event' : name);
