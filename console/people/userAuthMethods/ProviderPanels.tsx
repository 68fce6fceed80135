import { useStore } from '#console/core/store.ts';
import foundCss from '#console/ui/Findings.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import type { IssuerFinding, UserAuthMethod } from '#contract/userAuthMethod.ts';
import { findings } from './findings.ts';
import { MethodIcon } from './MethodIcon.tsx';
import css from './userAuthMethods.module.css';

/** What the provider needs to know, what was found out about it, and what users will see of it. */
export function ProviderPanels({ projectId, method }: { projectId: string; method: UserAuthMethod }) {
  const found = useStore(findings)[method.id];
  return (
    <>
      {found && (
        <Panel title="Findings" note={warningsText(found)}>
          <Findings found={found} />
        </Panel>
      )}
      <Panel title="At the provider">
        <p className={css.quiet}>
          Register a web client with this exact redirect URI, and allow the scopes openid, profile and email.
          Mooring uses the authorization code flow with PKCE.
        </p>
      </Panel>
      <Panel title="What users see">
        <span className={css.preview}>
          <MethodIcon projectId={projectId} method={method} />
          <span dir="auto">{method.label}</span>
        </span>
      </Panel>
    </>
  );
}

function Findings({ found }: { found: readonly IssuerFinding[] }) {
  const warningsFirst = found.toSorted((a, b) => Number(b.level === 'warn') - Number(a.level === 'warn'));
  return (
    <ul className={foundCss.findings}>
      {warningsFirst.map(({ level, text }) => (
        <li key={text}>
          <Dot tone={level} />
          <span>
            {level === 'warn' && <b>Warning: </b>}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function warningsText(found: readonly IssuerFinding[]): string | undefined {
  const count = found.filter(({ level }) => level === 'warn').length;
  if (count === 0) return undefined;
  return count === 1 ? '1 warning' : `${count} warnings`;
}
