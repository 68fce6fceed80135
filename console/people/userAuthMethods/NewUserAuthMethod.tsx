import { useNavigate } from '@tanstack/react-router';
import { useCall, useRead } from '#console/core/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { createUserAuthMethod, readUserAuthSetup } from '#contract/userAuthMethod.ts';
import { storeFindings } from './findings.ts';
import { methodHints } from './IssuerHint.tsx';
import { methodFields, toNewBody } from './methodFields.ts';
import css from './userAuthMethods.module.css';

/** Opens the new method, which shows what was found at its provider and offers a test sign-in. */
export function NewUserAuthMethod({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createUserAuthMethod);
  const { data: setup } = useRead(readUserAuthSetup, { params: { projectId } });
  const form = useCreateForm(methodFields, async values => {
    const body = toNewBody(values, setup?.methodId);
    const { id: methodId, findings } = await create.mutateAsync({ params: { projectId }, body });
    storeFindings(methodId, findings);
    toast('Sign-in method added');
    const to = '/projects/$projectId/user_auth_methods/$methodId';
    await navigate({ to, params: { projectId, methodId }, hash: '', replace: true });
  });
  return (
    <FieldsDialog
      title="Create sign-in method"
      form={form}
      fields={methodFields}
      hints={methodHints(form)}
      onClose={onClose}
    >
      <RedirectUri uri={setup?.redirectUri} />
    </FieldsDialog>
  );
}

/** Providers ask for it before they hand out a client id. */
function RedirectUri({ uri }: { uri: string | undefined }) {
  return (
    <div className={css.redirect}>
      <p>Register a web client with this redirect URI at the provider to get a client id and secret.</p>
      {uri && <CopyText text={uri} wrap label="Copy redirect URI" />}
    </div>
  );
}
