import { Link } from '@tanstack/react-router';
import { useCall, useRead } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { CallRate } from '#console/ui/links/CallRate.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { type App, editApp } from '#contract/app.ts';
import { callRates, type Project } from '#contract/project.ts';
import { listUserAuthMethods } from '#contract/userAuthMethod.ts';
import { isRedirect } from '#rules/apps/redirects.ts';
import css from './apps.module.css';

/** How users sign in: where a provider may redirect them to, and which methods they are offered. */
export function AppSignInPanel({ app, locked }: { app: App; locked: boolean }) {
  return (
    <Panel title="Signing in" locked={locked} edit={done => <RedirectsForm app={app} done={done} />}>
      <Facts
        facts={[
          ['Redirects', <Redirects key="redirects" redirects={app.redirects} />],
          ['Methods', <Methods key="methods" projectId={app.projectId} />],
          ['Limits', <CallRate key="limits" say={rateOf} />],
        ]}
      />
    </Panel>
  );
}

const rateOf = ({ userCallRate }: Project) =>
  `${userCallRate} calls a second per user, with bursts of ${userCallRate * callRates.user.burstS}`;

function Redirects({ redirects }: Pick<App, 'redirects'>) {
  if (redirects.length === 0)
    return <span className={css.quiet}>none, so users cannot sign in to the app with a provider</span>;
  return (
    <ul className={css.redirects}>
      {redirects.map(redirect => (
        <li key={redirect}>
          <CopyText text={redirect} wrap label="Copy redirect" />
        </li>
      ))}
    </ul>
  );
}

function Methods({ projectId }: { projectId: string }) {
  const { data: project } = useProject();
  const { data: methods } = useRead(listUserAuthMethods, { params: { projectId } });
  if (!project || !methods) return null;
  if (project.userAccountMode === 'external')
    return 'Your back end creates the users and starts their sessions.';
  const names = [...byPassword(project), ...methods.map(({ label }) => `${label} (OIDC)`)];
  return (
    <Link to="/projects/$projectId/settings/user_auth" params={{ projectId }}>
      <span dir="auto">{names.join(', ') || 'none'}</span>
    </Link>
  );
}

function byPassword({ restrictPasswordLogin, restrictUserReg }: Project): string[] {
  if (restrictPasswordLogin) return [];
  return [restrictUserReg ? 'E-mail, by invitation' : 'E-mail'];
}

function RedirectsForm({ app, done }: { app: App; done: () => void }) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const edit = useEdit({
    row: app,
    words: { redirects: 'Redirects' },
    toForm: ({ redirects }: App) => ({ redirects: redirects.join('\n') }),
    check: ({ redirects }) =>
      redirectsOf(redirects).every(isRedirect) ? {} : { redirects: 'REDIRECT_UNFIT' },
    send: ({ redirects = '' }, ifMatch) => {
      const body = { redirects: redirectsOf(redirects) };
      return save.mutateAsync({ params: { appId }, query: { projectId }, body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast('Redirects saved');
      done();
    },
  });
  const field = edit.field('redirects');
  const unfit = redirectsOf(field.value).find(redirect => !isRedirect(redirect));
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <TextArea
        label="Redirects"
        mono
        rows={4}
        spellCheck={false}
        autoFocus
        placeholder={'https://app.example.com/signed-in\ncom.example.app:/signed-in'}
        keepsHint={field.error !== undefined}
        hint={
          field.error && unfit
            ? `Check ${unfit.length > 80 ? `${unfit.slice(0, 80)}…` : unfit}`
            : 'One per line: https, a scheme such as com.example.app:/, or http on 127.0.0.1. Providers can send users back only to these.'
        }
        {...field}
      />
    </EditForm>
  );
}

const redirectsOf = (text: string) => [...new Set(text.split(/\s+/).filter(Boolean))];
