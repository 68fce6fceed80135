import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useHashDialog } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { ListPanel } from '#console/ui/list/ListPanel.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import { type AccessToken, listAccessTokens, revokeAccessToken } from '#contract/accessToken.ts';
import type { Developer } from '#contract/account.ts';
import { NewAccessToken } from './NewAccessToken.tsx';
import { scopeWords } from './scopeWords.ts';

/** The tokens that scripts and pipelines use to call the API. A support agent can see them, but not change them. */
export function AccessTokensPanel({ developer }: { developer: Developer }) {
  const { id: developerId, sudoer } = developer;
  const read = useRead(listAccessTokens, { params: { developerId } });
  const dialog = useHashDialog('token');
  const [revoking, setRevoking] = useState<AccessToken>();
  const revoke = useCall(revokeAccessToken, { onDone: () => toast('Access token revoked') });
  return (
    <ListPanel
      title="Access tokens"
      read={read}
      what="Your access tokens"
      columns={columnsFor(sudoer ? undefined : setRevoking)}
      rowKey={({ id }) => id}
      action={!sudoer && <Button onClick={dialog.show}>Create token</Button>}
      none="None yet. Scripts call the API with a token instead of your password."
    >
      {dialog.open && <NewAccessToken developer={developer} onClose={dialog.hide} />}
      {revoking && (
        <Confirm
          title={`Revoke the access token ${revoking.name}?`}
          verb="Revoke token"
          onClose={() => setRevoking(undefined)}
          onConfirm={() => revoke.mutateAsync({ params: { developerId, tokenId: revoking.id } })}
        >
          <p>Calls with it are refused from now on. This cannot be undone.</p>
        </Confirm>
      )}
    </ListPanel>
  );
}

function columnsFor(onRevoke: ((token: AccessToken) => void) | undefined): Column<AccessToken>[] {
  return [
    {
      id: 'name',
      head: 'Name',
      cell: ({ name, start }) => (
        <TwoLines strong main={<span dir="auto">{name}</span>} mono="sub" sub={`${start}…`} />
      ),
    },
    {
      id: 'expires',
      head: 'Expires',
      width: '128px',
      cell: ({ expiresAt, createdAt }) => (
        <TwoLines
          main={<Expires time={expiresAt} />}
          sub={
            <>
              created <TimeAgo time={createdAt} />
            </>
          }
        />
      ),
    },
    {
      id: 'scope',
      head: 'Scope',
      cell: ({ scope, projects }) => <TwoLines main={scopeWords[scope]} sub={projectWords(projects)} />,
    },
    {
      id: 'used',
      head: 'Last used',
      width: '136px',
      cell: ({ lastUsedAt, lastUsedFrom }) => (
        <TwoLines main={<TimeAgo time={lastUsedAt} />} mono="sub" sub={lastUsedFrom} />
      ),
    },
    {
      id: 'revoke',
      head: 'Revoke',
      hideHead: true,
      align: 'end',
      width: '100px',
      cell: token =>
        onRevoke && (
          <Button aria-label={`Revoke the access token ${token.name}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        ),
    },
  ];
}

function Expires({ time }: { time: string }) {
  const isOver = Date.parse(time) <= useNow();
  return (
    <>
      {isOver && 'expired '}
      <TimeAgo time={time} />
    </>
  );
}

function projectWords(projects: AccessToken['projects']): string {
  if (!projects) return 'all projects';
  if (projects.length === 0) return 'no project';
  return projects.map(({ name }) => name).join(', ');
}
