import { type FormEvent, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { LiveHome, Me } from '#sdk/app.ts';
import { laidOut } from '../../shared/wireLines.ts';
import { nameOfDevice } from '../devices/nameOfDevice.ts';
import type { AppSimulation } from '../simulation.ts';
import { useHome } from '../useHome.ts';
import css from './panels.module.css';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const shownMax = 4000;

/** Calls the developer's back end through a proxy route, with the user's token. */
export function BackEndPanel({ simulation, user }: { simulation: AppSimulation; user: Me }) {
  const home = useHome(simulation);
  const [entity, setEntity] = useState('lamp-1');
  const prefixes = prefixesOf(simulation, { user, home, entity });
  const [prefix, setPrefix] = useState('home');
  const [path, setPath] = useState('/');
  const [method, setMethod] = useState<string>('GET');
  const [body, setBody] = useState('');
  const { busy, answer, call } = useBackEnd(simulation);
  const chosen = prefixes.find(({ value }) => value === prefix) ?? prefixes[0];

  function submit(event: FormEvent) {
    event.preventDefault();
    const rest = path.startsWith('/') ? path : `/${path}`;
    void call(chosen.address + rest, method, body);
  }
  return (
    <Panel title="Call your back end">
      <form className={css.form} onSubmit={submit}>
        <SelectField
          label="Resource"
          value={chosen.value}
          onChange={setPrefix}
          options={prefixes.map(({ value, label }) => ({ value, label }))}
        />
        {chosen.value === 'entity' && <EntityField value={entity} onChange={setEntity} />}
        <div className={css.call}>
          <SelectField
            label="Method"
            value={method}
            onChange={setMethod}
            options={methods.map(one => ({ value: one, label: one }))}
          />
          <TextField
            label="Path"
            mono
            autoComplete="off"
            spellCheck={false}
            value={path}
            onChange={setPath}
          />
        </div>
        {method !== 'GET' && (
          <TextArea label="Body" mono rows={3} spellCheck={false} value={body} onChange={setBody} />
        )}
        <div className={css.line}>
          <Button type="submit" busy={busy}>
            Call
          </Button>
          <span className={css.quiet}>through a proxy route of the project</span>
        </div>
        <div role="status">{answer && <Answer {...answer} />}</div>
      </form>
    </Panel>
  );
}

function EntityField(field: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label="Entity"
      hint="The name under which the device reports it."
      mono
      autoComplete="off"
      spellCheck={false}
      {...field}
    />
  );
}

interface Answered {
  status: number;
  text: string;
}

function Answer({ status, text }: Answered) {
  return (
    <>
      <p className={status >= 400 || status === 0 ? css.refused : css.quiet}>
        {status === 0 ? 'No answer' : status}
      </p>
      {text && <pre className={css.answer}>{laidOut(text).slice(0, shownMax)}</pre>}
    </>
  );
}

function useBackEnd({ app }: AppSimulation) {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answered>();
  async function call(path: string, method: string, body: string): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      const hasBody = method !== 'GET' && body !== '';
      const answered = await app.fetch(path, {
        method,
        ...(hasBody && { body, headers: { 'content-type': 'application/json' } }),
      });
      setAnswer({ status: answered.status, text: await answered.text() });
    } catch (error) {
      setAnswer({ status: 0, text: error instanceof Error ? error.message : '' });
    } finally {
      setBusy(false);
    }
  }
  return { busy, answer, call };
}

interface Prefix {
  value: string;
  label: string;
  address: string;
}

/** The prefixes of proxy routes, with the ids that the phone knows. Apps do not know which entities exist. */
function prefixesOf(
  { address }: AppSimulation,
  { user, home, entity }: { user: Me; home: LiveHome | undefined; entity: string },
): [Prefix, ...Prefix[]] {
  const [device] = home?.devices ?? [];
  const entityId = device && `${device.id}:${encodeURIComponent(entity)}`;
  const of = (value: string, label: string, path: string): Prefix => ({
    value,
    label,
    address: `${path}/appProxy`,
  });
  return [
    of('project', 'Project', `/projects/${address.projectId}`),
    of('user', 'User', `/users/${user.id}`),
    ...(home ? [of('home', `Home: ${home.about.name}`, `/homes/${home.id}`)] : []),
    ...(device
      ? [
          of('device', `Device: ${nameOfDevice(device.about)}`, `/devices/${device.id}`),
          of(
            'entity',
            `Entity of ${nameOfDevice(device.about)}`,
            `/projects/${address.projectId}/entities/${entityId}`,
          ),
        ]
      : []),
  ];
}
