import { useCall } from '#console/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { editUserAuthMethod, type UserAuthMethod } from '#contract/userAuthMethod.ts';
import { keepFindings } from './findings.ts';
import { MethodFields } from './MethodFields.tsx';
import { type MethodValues, missing, toBody, toForm } from './methodForm.ts';

interface MethodPanelProps {
  projectId: string;
  method: UserAuthMethod;
  locked: boolean;
}

export function MethodPanel({ projectId, method, locked }: MethodPanelProps) {
  const { label, description, config, iconUrl, createdAt } = method;
  return (
    <Panel
      title="Method"
      note="OpenID Connect"
      editKey
      locked={locked}
      edit={done => <MethodForm projectId={projectId} method={method} done={done} />}
    >
      <Facts
        facts={[
          [
            'Label',
            <span key="label" dir="auto">
              {label}
            </span>,
          ],
          [
            'Description',
            <span key="description" dir="auto">
              {description || '–'}
            </span>,
          ],
          ['Issuer', <CopyText key="issuer" text={config.issuer} wrap label="Copy issuer" />],
          ['Client id', <CopyText key="client" text={config.clientId} wrap label="Copy client id" />],
          [
            'Redirect URI',
            <CopyText key="redirect" text={method.redirectUri} wrap label="Copy redirect URI" />,
          ],
          ['Client secret', 'Stored encrypted, never shown'],
          ['Icon', iconUrl ? `Fetched from ${iconUrl}` : '–'],
          ['Added', <TimeAgo key="added" time={createdAt} />],
        ]}
      />
    </Panel>
  );
}

const words = {
  label: 'Label',
  description: 'Description',
  iconUrl: 'Icon address',
  'config.issuer': 'Issuer',
  'config.clientId': 'Client id',
  'config.clientSecret': {
    label: 'Client secret',
    say: (secret: string) => (secret ? '•••' : '(unchanged)'),
  },
};

function MethodForm({ projectId, method, done }: Omit<MethodPanelProps, 'locked'> & { done: () => void }) {
  const edit = useCall(editUserAuthMethod);
  const form = useEdit<UserAuthMethod, MethodValues>({
    row: method,
    toForm,
    words,
    check: values => missing(values, method),
    async send(changed, ifMatch) {
      const params = { projectId, methodId: method.id };
      const { findings, ...saved } = await edit.mutateAsync({ params, body: toBody(changed), ifMatch });
      keepFindings(method.id, findings);
      return saved;
    },
    onDone(saved) {
      if (saved) toast('Sign-in method saved');
      done();
    },
  });
  return (
    <EditForm edit={form} onCancel={done}>
      <MethodFields form={form} existing />
    </EditForm>
  );
}
