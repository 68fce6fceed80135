import { type FormEvent, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { schemaExample } from '#console/devices/schema/schemaExample.ts';
import type { HandedClass } from '#console/guide/simulators/handedClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { jsonLanguage } from '#console/ui/code/codeLanguages.ts';
import { compactJson } from '#console/ui/code/compactJson.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { CodeField } from '#console/ui/form/CodeField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import { isEventName } from '#rules/eventNames.ts';
import { parseJson } from '../controls/parseJson.ts';
import css from '../devicesim.module.css';
import { type EventDraft, type SentEvent, type Severity, severities } from '../sentEvents.ts';
import type { Simulation } from '../simulation.ts';

/** Sends events: earlier ones by a press, new ones after entering them. */
export function EventsPanel({ simulation: { events, described } }: { simulation: Simulation }) {
  const drafts = useStore(events.drafts);
  const sent = useStore(events.all);
  return (
    <Panel title="Events" note={drafts.length > 0 && 'click one to send it again'}>
      <div className={css.stack}>
        {drafts.length > 0 && (
          <div className={css.line}>
            {drafts.map(draft => (
              <Button
                key={draft.name}
                title={JSON.stringify(draft.payload)}
                onClick={() => void events.send(draft)}
              >
                {draft.name}
              </Button>
            ))}
          </div>
        )}
        <EventForm first={firstEvent(described)} onSend={draft => void events.send(draft)} />
        {sent.length > 0 && (
          <ul className={css.rows} aria-label="Sent events">
            {sent.slice(0, 8).map(event => (
              <SentRow key={event.key} event={event} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function SentRow({ event: { at, name, payload, outcome, ms } }: { event: SentEvent }) {
  return (
    <li className={css.row}>
      <time dateTime={at.toISOString()}>{millisecondText(at)}</time>
      <code className={css.tag}>{name}</code>
      <code className={css.cut}>{JSON.stringify(payload)}</code>
      <span data-tone={outcome === 'kept' ? 'ok' : outcome === 'sending' ? 'wait' : 'danger'}>
        {outcome === 'kept' ? `stored, ${ms} ms` : outcome}
      </span>
    </li>
  );
}

/** A first event: one from the class, with a valid payload, or else a button press. */
function firstEvent(described: HandedClass | undefined): { name: string; payload: unknown } {
  const [known] = Object.entries(described?.eventSchemas ?? {});
  return known
    ? { name: known[0], payload: schemaExample(known[1]) }
    : { name: 'press', payload: { button: 'up' } };
}

interface EventFormProps {
  first: ReturnType<typeof firstEvent>;
  onSend: (draft: EventDraft) => void;
}

function EventForm({ first, onSend }: EventFormProps) {
  const [name, setName] = useState(first.name);
  const [text, setText] = useState(() => compactJson(JSON.stringify(first.payload, null, 2)));
  const [alerts, setAlerts] = useState(false);
  const [severity, setSeverity] = useState<Severity>('warning');
  const [alertText, setAlertText] = useState('');
  const payload = parseJson(text);
  const nameFits = isEventName(name);
  const isFit = nameFits && payload !== undefined && (!alerts || alertText.trim() !== '');

  function send() {
    if (!isFit) return;
    const alert = alerts ? { alert: { severity, text: alertText.trim() } } : {};
    onSend({ name, payload: payload.value, ...alert });
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    send();
  }
  return (
    <form className={css.stack} onSubmit={submit}>
      <TextField
        label="Event name"
        value={name}
        onChange={setName}
        mono
        aria-invalid={!nameFits || undefined}
        hint={
          nameFits
            ? undefined
            : 'Letters and digits, with single - or _ in between; must start with a letter.'
        }
      />
      <div className={css.named}>
        <span aria-hidden="true">Payload</span>
        <CodeField
          label="Payload"
          language={jsonLanguage}
          value={text}
          onChange={setText}
          onSave={send}
          lines={[2, 12]}
        />
      </div>
      <Checkbox label="Raise an alert" checked={alerts} onChange={setAlerts} />
      {alerts && (
        <AlertFields severity={severity} onSeverity={setSeverity} text={alertText} onText={setAlertText} />
      )}
      <div className={css.line}>
        <Button type="submit" disabled={!isFit}>
          Send event
        </Button>
      </div>
    </form>
  );
}

interface AlertFieldsProps {
  severity: Severity;
  onSeverity: (severity: Severity) => void;
  text: string;
  onText: (text: string) => void;
}

function AlertFields({ severity, onSeverity, text, onText }: AlertFieldsProps) {
  return (
    <div className={css.line}>
      <Segments
        label="Severity"
        options={severities.map(value => ({ value, label: value }))}
        chosen={severity}
        onChange={onSeverity}
      />
      <div className={css.grow}>
        <TextField label="Text" value={text} onChange={onText} maxLength={500} />
      </div>
    </div>
  );
}
