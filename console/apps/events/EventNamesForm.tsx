import { useCall } from '#console/core/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { type App, editApp } from '#contract/app.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';

/** The names as text, which can also name events that have not occurred yet, or be a star. */
export function EventNamesForm({ app, done }: { app: App; done: () => void }) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const edit = useEdit({
    row: app,
    words: { subscribedEvents: 'Event names' },
    toForm: ({ subscribedEvents }: App) => ({ subscribedEvents: subscribedEvents.join('\n') }),
    check: ({ subscribedEvents }) =>
      parseSubscribedEvents(subscribedEvents).faults.length > 0 ? { subscribedEvents: 'INVALID_FORMAT' } : {},
    send: ({ subscribedEvents = '' }, ifMatch) => {
      const body = { subscribedEvents: parseSubscribedEvents(subscribedEvents).names };
      return save.mutateAsync({ params: { appId }, query: { projectId }, body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast('Subscribed events saved');
      done();
    },
  });
  const { faults } = parseSubscribedEvents(edit.values.subscribedEvents);
  const field = edit.field('subscribedEvents');
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextArea
        label="Event names"
        mono
        rows={6}
        spellCheck={false}
        autoFocus
        keepsHint
        hint={field.error && faults.length > 0 ? faultText(faults) : hint}
        {...field}
      />
    </EditForm>
  );
}

const hint = (
  <>
    Separated by spaces or line breaks. <code>*</code> alone means all; empty means none.
  </>
);

const shownMax = 5;

function faultText(faults: readonly string[]): string {
  if (faults.includes('*')) return '* already means all events. Remove it, or remove the other names.';
  const names = faults.slice(0, shownMax).map(name => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  const rest = faults.length > shownMax ? ` and ${faults.length - shownMax} more` : '';
  return `Not an event name: ${names.join(', ')}${rest}. Use letters and digits, with single - or _ between.`;
}
