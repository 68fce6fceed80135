import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { AppLink } from '#console/people/AppLink.tsx';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { AppIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { endUserSession, listUserSessions, type User, type UserSession } from '#contract/user.ts';
import css from './userPage.module.css';

interface UserSessionsPanelProps {
  user: User;
  onEndAll: () => void;
}

/** Where the user is signed in. */
export function UserSessionsPanel({ user: { id: userId, projectId }, onEndAll }: UserSessionsPanelProps) {
  const read = useRead(listUserSessions, { params: { userId } });
  const end = useCall(endUserSession, { onDone: () => toast('Session ended') });
  const mayEnd = useMay(endUserSession);
  const { data } = read;
  return (
    <Panel
      title="Sessions"
      note={data && data.length > 0 && `${data.length} open`}
      action={
        mayEnd &&
        data &&
        data.length > 0 && (
          <Button variant="quiet" onClick={onEndAll}>
            End all
          </Button>
        )
      }
    >
      <ReadState read={read} what="The sessions" skeleton={<Skeleton lines={2} unsized />} refetchError />
      <FormError error={end.error} />
      {data?.length === 0 && <p className={css.quiet}>Not signed in anywhere.</p>}
      {data && data.length > 0 && (
        <ul className={css.sessions}>
          {data.map(session => (
            <Session
              key={session.id}
              {...{ projectId, session }}
              ending={end.isPending && end.variables.params.sessionId === session.id}
              onEnd={mayEnd ? () => end.mutate({ params: { userId, sessionId: session.id } }) : undefined}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface SessionProps {
  projectId: string;
  session: UserSession;
  ending: boolean;
  onEnd: (() => void) | undefined;
}

function Session({ projectId, session, ending, onEnd }: SessionProps) {
  const { appId, deviceName, address, lastSeenAt, expiresAt } = session;
  const name = deviceName || 'Unnamed device';
  return (
    <li>
      <AppIcon />
      <div>
        <p className={css.sessionName} title={name} dir="auto">
          {name}
        </p>
        <p className={css.small}>
          <AppLink projectId={projectId} appId={appId} />, seen <TimeAgo time={lastSeenAt} />
        </p>
        <p className={css.small}>
          <code>{address}</code>, ends <TimeAgo time={expiresAt} ahead />
        </p>
      </div>
      {onEnd && (
        <Button variant="quiet" busy={ending} aria-label={`End session on ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
