import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { AppLink } from '#console/people/AppLink.tsx';
import { userFields } from '#console/people/users/userFields.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { editUser, type User } from '#contract/user.ts';

export function UserInfoPanel({ user }: { user: User }) {
  const { id: userId, email, externalId, verifiedAt, createdAt } = user;
  const save = useCall(editUser);
  return (
    <FieldsPanel
      title="Info"
      locked={!useMay(editUser)}
      row={user}
      fields={userFields}
      facts={[
        'name',
        ['E-mail', email ? <CopyText key="email" text={email} wrap label="Copy e-mail" /> : '–'],
        ...(externalId
          ? ([['External id', <CopyText key="x" text={externalId} wrap label="Copy external id" />]] as const)
          : []),
        ['Verified', verifiedAt ? <Yes key="verified" since={verifiedAt} /> : 'no'],
        'language',
        ['Created', <Created key="created" user={user} at={createdAt} />],
      ]}
      toForm={({ name, language = '' }) => ({ name, language })}
      send={({ name, language }, ifMatch) => {
        const body = {
          ...(name !== undefined && { name }),
          ...(language !== undefined && { language: language.trim() || null }),
        };
        return save.mutateAsync({ params: { userId }, body, ifMatch });
      }}
      saved="User saved"
    />
  );
}

function Yes({ since }: { since: string }) {
  return (
    <>
      yes, <TimeAgo time={since} />
    </>
  );
}

/** When the account was created, and through which app or by whom. */
function Created({ user: { projectId, createdIn, externalId }, at }: { user: User; at: string }) {
  return (
    <>
      <TimeAgo time={at} />
      {createdIn ? (
        <>
          {' in '}
          <AppLink projectId={projectId} appId={createdIn} />
        </>
      ) : externalId ? (
        ' by your back end'
      ) : (
        ' by your team'
      )}
    </>
  );
}
