import { useCall } from '#console/core/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { editUserAuthMethod, type UserAuthMethod } from '#contract/userAuthMethod.ts';
import { storeFindings } from './findings.ts';
import { methodHints } from './IssuerHint.tsx';
import { methodFields, missingSecret, toBody, toForm, yesOrNo } from './methodFields.ts';

interface MethodPanelProps {
  projectId: string;
  method: UserAuthMethod;
  locked: boolean;
}

export function MethodPanel({ projectId, method, locked }: MethodPanelProps) {
  const { id: methodId, redirectUri, iconUrl, createdAt } = method;
  const edit = useCall(editUserAuthMethod);
  return (
    <FieldsPanel
      title="Method"
      note="OpenID Connect"
      locked={locked}
      row={method}
      fields={methodFields}
      facts={[
        'label',
        'description',
        'config.issuer',
        'config.clientId',
        ['Trusts verified e-mail addresses', method.trustsEmail ? 'Yes' : 'No'],
        ['Redirect URI', <CopyText key="redirect" text={redirectUri} wrap label="Copy redirect URI" />],
        ['Client secret', 'Stored encrypted, never shown'],
        ['Icon', iconUrl ? `Fetched from ${iconUrl}` : '–'],
        ['Added', <TimeAgo key="added" time={createdAt} />],
      ]}
      useChoices={() => ({ trustsEmail: yesOrNo })}
      hints={methodHints}
      toForm={toForm}
      check={values => missingSecret(values, method)}
      send={async (changed, ifMatch) => {
        const params = { projectId, methodId };
        const { findings, ...saved } = await edit.mutateAsync({ params, body: toBody(changed), ifMatch });
        storeFindings(methodId, findings);
        return saved;
      }}
      saved="Sign-in method saved"
    />
  );
}
