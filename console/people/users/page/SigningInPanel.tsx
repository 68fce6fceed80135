import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Project } from '#contract/project.ts';
import type { User } from '#contract/user.ts';
import { listUserAuthMethods } from '#contract/userAuthMethod.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './userPage.module.css';

type Fact = readonly [term: string, value: ReactNode];

/** The ways in which this user can sign in, and the others that the project offers. */
export function SigningInPanel({ user }: { user: User }) {
  const { data: project } = useProject();
  const offered = useRead(listUserAuthMethods, { params: { projectId: user.projectId } }).data ?? [];
  if (!project) return null;
  const linked = user.methods.map(
    ({ methodId, label, linkedAt }): Fact => [
      label,
      <span key={methodId}>
        linked <TimeAgo time={linkedAt} />
      </span>,
    ],
  );
  const others = offered
    .filter(({ id }) => user.methods.every(({ methodId }) => methodId !== id))
    .map(({ id, label }): Fact => [label, <No key={id}>not linked</No>]);
  const { failedSignIns } = user;
  return (
    <Panel title="Signing in">
      <Facts
        facts={[
          ...(project.userAccountMode === 'external'
            ? [['By', 'your back end'] as Fact]
            : passwordFacts(user, project)),
          ...linked,
          ...(project.userAccountMode === 'email' ? others : []),
          ['Failed', failedSignIns === 0 ? 'none in 30 days' : `${numberText(failedSignIns)} in 30 days`],
        ]}
      />
    </Panel>
  );
}

function passwordFacts({ password, externalId }: User, project: Project): Fact[] {
  const byBackEnd: Fact[] = externalId ? [['Back end', 'can sign them in']] : [];
  if (!password)
    return [
      ...byBackEnd,
      ['Password', <No key="no">{project.restrictPasswordLogin ? 'turned off' : 'not set'}</No>],
    ];
  return [
    ...byBackEnd,
    [
      'Password',
      <span key="set">
        set <TimeAgo time={password.setAt} />
        {password.isInitial && <No>, to be changed at the first sign-in</No>}
        {project.restrictPasswordLogin && <No>, turned off in this project</No>}
      </span>,
    ],
    [
      'Expires',
      password.expiresAt ? <TimeAgo key="at" time={password.expiresAt} /> : 'never, no maximum age',
    ],
  ];
}

function No({ children }: { children: ReactNode }) {
  return <span className={css.quiet}>{children}</span>;
}
