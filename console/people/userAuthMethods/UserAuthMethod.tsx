import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { may } from '#console/core/membership/may.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Button } from '#console/ui/Button.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import {
  editUserAuthMethod,
  type UserAuthMethod as Method,
  readUserAuthMethod,
  startUserAuthTest,
} from '#contract/userAuthMethod.ts';
import { DeleteMethod } from './DeleteMethod.tsx';
import { MethodPanel } from './MethodPanel.tsx';
import { ProviderPanels } from './ProviderPanels.tsx';
import { TestSignInPanel } from './TestSignInPanel.tsx';
import { useTestSignIn } from './useTestSignIn.ts';

/** One sign-in method: its settings, what its provider needs to know, and a test sign-in. */
export function UserAuthMethod() {
  const params = useParams({ from: '/shell/projects/$projectId/user_auth_methods/$methodId' });
  const read = useRead(readUserAuthMethod, { params });
  const { data, error } = read;
  if (error?.reason === 'USER_AUTH_METHOD_NOT_FOUND')
    return <NotFound what={`Sign-in method ${params.methodId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The sign-in method" />;
  return (
    <>
      <ReadState read={read} what="The sign-in method" refetchError />
      <OneMethod projectId={params.projectId} method={data} />
    </>
  );
}

function OneMethod({ projectId, method }: { projectId: string; method: Method }) {
  const { data: project } = useProject();
  const [deleting, setDeleting] = useState(false);
  const test = useTestSignIn({ projectId, methodId: method.id });
  const mayEdit = project !== undefined && may(project.role, editUserAuthMethod);
  const mayTest = project !== undefined && may(project.role, startUserAuthTest);
  useActions([
    ...(mayTest ? [{ label: 'Test sign-in', keys: 't', run: () => void test.start() }] : []),
    ...(mayEdit ? [{ label: 'Delete sign-in method', run: () => setDeleting(true) }] : []),
  ]);
  return (
    <DetailScreen
      name={method.label}
      id={method.id}
      actions={
        mayTest && (
          <Button variant="primary" busy={test.starting} onClick={() => void test.start()}>
            Test sign-in
          </Button>
        )
      }
      {...(mayEdit && {
        menu: [{ label: 'Delete sign-in method', danger: true, run: () => setDeleting(true) }],
      })}
      side={<ProviderPanels projectId={projectId} method={method} />}
    >
      <MethodPanel projectId={projectId} method={method} locked={!mayEdit} />
      {mayTest && <TestSignInPanel test={test} />}
      {deleting && <DeleteMethod projectId={projectId} method={method} onClose={() => setDeleting(false)} />}
    </DetailScreen>
  );
}
