import { useState } from 'react';
import shared from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { ProxyResource, ProxyRoute } from '#contract/proxyRoute.ts';
import { proxyPrefixes } from '#contract/proxyRoute.ts';
import { Leaves } from './Leaves.tsx';
import css from './tester.module.css';
import { useProxyTest } from './useProxyTest.ts';
import { useSubject } from './useSubject.ts';
import { Verdicts } from './Verdicts.tsx';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(value => ({ value, label: value }));

/** The choices are beside the path if each has this much room. */
const choiceWidth = 180;

/** Which route takes a call and what the back end would receive, shown while typing. */
export function TryPanel({ route }: { route: ProxyRoute }) {
  const { projectId, resource, sourcePath } = route;
  const [method, setMethod] = useState('GET');
  const [path, setPath] = useState(sourcePath);
  const who = useSubject(projectId, resource);
  const asked = { projectId, resource, method, path, ...who.subject };
  const test = useProxyTest(asked, who.isComplete);
  return (
    <Panel title="Try a call" note="which route would handle it, and what your back end would receive" flush>
      <div className={css.asked}>
        <div className={css.try}>
          <SelectField label="Method" options={methods} value={method} onChange={setMethod} />
          <TextField
            label={`Path below ${prefixOf(resource, who.subject)}`}
            mono
            spellCheck={false}
            autoComplete="off"
            value={path}
            onChange={setPath}
          />
        </div>
        <Choices who={who} />
      </div>
      {who.isKnown && who.subject.userId === '' ? (
        <p className={shared.empty}>
          {who.search ? 'No user has this name.' : 'There are no users yet. Add one to try a call as them.'}
        </p>
      ) : who.lacks ? (
        <p className={shared.empty}>{who.lacks}</p>
      ) : test.data && !who.failed ? (
        <>
          <Verdicts test={test.data} routeId={route.id} projectId={projectId} />
          <Leaves test={test.data} asked={asked} />
        </>
      ) : (
        <div className={shared.waiting}>
          <ReadState
            read={who.failed ?? test}
            what={who.failed ? 'Users, homes and devices' : 'The test'}
            skeleton={<Skeleton lines={4} unsized />}
          />
        </div>
      )}
    </Panel>
  );
}

/** The caller, and what the call is about. */
function Choices({ who }: { who: ReturnType<typeof useSubject> }) {
  return (
    <div className={css.who} style={{ flexBasis: who.choices.length * choiceWidth }}>
      {(who.search !== '' || who.hasMore) && (
        <TextField
          label="Find user"
          type="search"
          placeholder="Name, e-mail, id"
          value={who.search}
          onChange={who.setSearch}
        />
      )}
      {who.choices.map(({ name, label, options, value, onChange }) => (
        <SelectField
          key={name}
          label={label}
          options={options.length > 0 ? options : [{ value: '', label: 'none' }]}
          value={value}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

function prefixOf(resource: ProxyResource, ids: Record<string, string>): string {
  return proxyPrefixes[resource].replace(/:(\w+)/g, (all, name: string) => ids[name] || all);
}
