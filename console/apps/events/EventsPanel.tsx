import css from '#console/apps/apps.module.css';
import { useCall } from '#console/core/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { usePress } from '#console/ui/edit/usePress.ts';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { type App, type AppFigures, editApp } from '#contract/app.ts';
import { allEvents } from '#rules/apps/subscribedEvents.ts';
import { numberText } from '#rules/text/numberText.ts';
import { EventNamesForm } from './EventNamesForm.tsx';
import { costText, type EventRow, eventRows, switched } from './eventRows.ts';

interface EventsPanelProps {
  app: App;
  /** Of the last 24 hours; undefined until known. */
  events: AppFigures['events'] | undefined;
  locked: boolean;
}

/** Which events the sessions of the app receive, each with what it costs. */
export function EventsPanel({ app, events, locked }: EventsPanelProps) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const { shown, error, busy, press } = usePress(app, (body, ifMatch) =>
    save.mutateAsync({ params: { appId }, query: { projectId }, body, ifMatch }),
  );
  const rows = eventRows(events ?? [], shown.subscribedEvents);
  const isAll = shown.subscribedEvents.includes(allEvents);
  const on = rows.filter(row => row.on).length;

  async function flip({ name, on: isOn }: EventRow) {
    const done = await press(({ subscribedEvents }) => ({
      subscribedEvents: switched(subscribedEvents, rows, name, !isOn),
    }));
    if (done) toast(`${name} ${isOn ? 'off' : 'on'}`);
  }

  return (
    <Panel
      title="Subscribed events"
      note={isAll ? 'all' : rows.length > 0 && `${on} of ${rows.length}`}
      flush
      locked={locked}
      edit={done => <EventNamesForm app={app} done={done} />}
    >
      {error && (
        <div className={css.failed}>
          <FormError error={error} />
        </div>
      )}
      <EventList
        rows={rows}
        isCounted={events !== undefined}
        busy={busy}
        onFlip={locked ? undefined : row => void flip(row)}
      />
      <p className={css.cost}>
        {events
          ? costText(rows, isAll)
          : isAll
            ? 'All events reach sessions.'
            : 'The events of the last 24 hours could not be counted.'}
      </p>
    </Panel>
  );
}

interface EventListProps {
  rows: readonly EventRow[];
  isCounted: boolean;
  busy: boolean;
  /** Absent: the member may not change the subscription. */
  onFlip: ((row: EventRow) => void) | undefined;
}

function EventList({ rows, isCounted, busy, onFlip }: EventListProps) {
  if (rows.length === 0) return null;
  return (
    <ul className={css.events}>
      {rows.map(row => (
        <li key={row.name.toLowerCase()}>
          <code>{row.name}</code>
          <span>{row.deviceClasses.join(', ') || (isCounted && 'none in 24 h')}</span>
          <code>{isCounted && numberText(row.count)}</code>
          {onFlip ? (
            <Toggle
              label={`${row.name} reaches sessions`}
              words={null}
              on={row.on}
              busy={busy}
              onChange={() => onFlip(row)}
            />
          ) : (
            <OnOff on={row.on} />
          )}
        </li>
      ))}
    </ul>
  );
}

function OnOff({ on }: { on: boolean }) {
  return (
    <span className={css.onOff}>
      <Dot tone={on ? 'ok' : 'off'} /> {on ? 'on' : 'off'}
    </span>
  );
}
