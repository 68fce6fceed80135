import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { ListPanel } from '#console/ui/list/ListPanel.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import {
  type Developer,
  endSession as endSessionCall,
  listSessions,
  type Session,
} from '#contract/account.ts';

/** Where the developer is signed in. The current session is ended by signing out. */
export function SessionsPanel({ developer }: { developer: Developer }) {
  const developerId = developer.id;
  const read = useRead(listSessions, { params: { developerId } });
  const [ending, setEnding] = useState<Session>();
  const end = useCall(endSessionCall, { onDone: () => toast('Session ended') });
  return (
    <ListPanel
      title="Sessions"
      read={read}
      what="Your sessions"
      columns={columnsFor(developer.sudoer ? undefined : setEnding)}
      rowKey={({ id }) => id}
    >
      {ending && (
        <Confirm
          title="End this session?"
          verb="End session"
          onClose={() => setEnding(undefined)}
          onConfirm={() => end.mutateAsync({ params: { developerId, sessionId: ending.id } })}
        >
          <p>
            {ending.device} at {ending.address} is signed out immediately.
          </p>
        </Confirm>
      )}
    </ListPanel>
  );
}

/** Without `onEnd` sessions cannot be ended, for example by a support agent. */
function columnsFor(onEnd: ((session: Session) => void) | undefined): Column<Session>[] {
  return [
    {
      id: 'device',
      head: 'Device',
      cell: ({ device, address, sudoer }) => (
        <TwoLines
          strong
          main={device}
          mono="sub"
          sub={sudoer ? `${address}, support session of ${sudoer}` : address}
        />
      ),
    },
    {
      id: 'used',
      head: 'Last used',
      isShort: true,
      cell: ({ lastUsedAt, createdAt, current }) => (
        <TwoLines
          main={current ? 'This session' : <TimeAgo time={lastUsedAt} />}
          sub={
            <>
              for <LastsSince time={createdAt} />
            </>
          }
          whole
        />
      ),
    },
    {
      id: 'end',
      head: 'End',
      hideHead: true,
      align: 'end',
      width: '88px',
      cell: session =>
        onEnd &&
        !session.current && (
          <Button aria-label={`End the session on ${session.device}`} onClick={() => onEnd(session)}>
            End
          </Button>
        ),
    },
  ];
}
