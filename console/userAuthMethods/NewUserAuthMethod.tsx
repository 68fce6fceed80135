import { useNavigate } from '@tanstack/react-router';
import { useCall, useRead } from '#console/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { createUserAuthMethod, readUserAuthSetup } from '#contract/userAuthMethod.ts';
import { keepFindings } from './findings.ts';
import { MethodFields } from './MethodFields.tsx';
import { missing, noMethod, toNewBody } from './methodForm.ts';
import css from './userAuthMethods.module.css';

/** Lands on the new method, where what was found at its provider is shown and a sign-in can be tried. */
export function NewUserAuthMethod({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createUserAuthMethod);
  const form = useForm({
    initial: noMethod,
    check: missing,
    async submit(values) {
      const body = toNewBody(values);
      const { id: methodId, findings } = await create.mutateAsync({ params: { projectId }, body });
      keepFindings(methodId, findings);
      toast('Sign-in method added');
      const to = '/projects/$projectId/user_auth_methods/$methodId';
      await navigate({ to, params: { projectId, methodId }, hash: '', replace: true });
    },
  });
  return (
    <CreateDialog title="Add sign-in method" form={form} onClose={onClose}>
      <RedirectUri projectId={projectId} />
      <MethodFields form={form} />
    </CreateDialog>
  );
}

/** Providers ask for it before they hand out a client id. */
function RedirectUri({ projectId }: { projectId: string }) {
  const { data } = useRead(readUserAuthSetup, { params: { projectId } });
  return (
    <div className={css.redirect}>
      <p>Register a web client with this redirect URI at the provider to get a client id and secret.</p>
      {data && <CopyText text={data.redirectUri} wrap label="Copy redirect URI" />}
    </div>
  );
}
