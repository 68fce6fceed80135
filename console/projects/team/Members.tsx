import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { session } from '#console/core/session.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Project } from '#contract/project.ts';
import { addMember, type Member } from '#contract/team.ts';
import { ChangeRole } from './ChangeRole.tsx';
import { LeaveProject } from './LeaveProject.tsx';
import { RemoveMember } from './RemoveMember.tsx';
import css from './team.module.css';

/** With fewer members, a search would only be in the way. */
const searchFrom = 10;

type Act = 'role' | 'remove' | 'leave';

interface MembersProps {
  project: Project;
  members: readonly Member[];
  /** The member to highlight: the one who was just added. */
  added: string | undefined;
}

export function Members({ project, members, added }: MembersProps) {
  const [{ q = '' }, change] = useUrlState();
  const [act, setAct] = useState<[Act, Member]>();
  const me = session.get()?.developer.id;
  const self = members.find(({ developerId }) => developerId === me);
  const invite = useCall(addMember, { onDone: () => toast('Invitation resent') });
  const params = { projectId: project.id };
  const found = members.filter(member => matches(member, q));
  const close = () => setAct(undefined);
  useActions(self ? [{ label: 'Leave project', run: () => setAct(['leave', self]) }] : []);

  const current = act && members.find(({ developerId }) => developerId === act[1].developerId);
  return (
    <>
      {(members.length > searchFrom || q) && (
        <ListToolbar
          list={{ search: q, searchFor: text => change({ q: text }, { replace: true }) }}
          searchHint="Name, e-mail…"
        />
      )}
      {invite.error && <FormError error={invite.error} />}
      <div className={css.frame}>
        {found.length > 0 ? (
          <Table
            label="Team"
            columns={columnsFor(me)}
            rows={found}
            rowKey={({ developerId }) => developerId}
            rowName={({ name, email, pending }) => (pending ? email : name)}
            rowMenu={member =>
              menuOf(member, {
                project,
                me,
                ask: setAct,
                invite: email => invite.mutate({ params, body: { email } }),
              })
            }
            marked={({ developerId }) => developerId === added}
          />
        ) : (
          <EmptyState
            title="No matching members"
            action={<Button onClick={() => change({ q: undefined })}>Clear search</Button>}
          />
        )}
      </div>
      {act?.[0] === 'role' && (
        <ChangeRole project={project} member={current ?? act[1]} members={members} onClose={close} />
      )}
      {act?.[0] === 'remove' && <RemoveMember project={project} member={act[1]} onClose={close} />}
      {act?.[0] === 'leave' && (
        <LeaveProject project={project} self={act[1]} members={members} onClose={close} />
      )}
    </>
  );
}

interface MenuContext {
  project: Project;
  me: string | undefined;
  ask: (act: [Act, Member]) => void;
  invite: (email: string) => void;
}

function menuOf(member: Member, { project, me, ask, invite }: MenuContext): (MenuItem | 'line')[] {
  const own = member.developerId === me;
  const leave = { label: 'Leave project', danger: true, run: () => ask(['leave', member]) };
  if (project.role !== 'owner') return own ? [leave] : [];
  const again = { label: 'Resend invitation', run: () => invite(member.email) };
  return [
    { label: 'Change role', run: () => ask(['role', member]) },
    ...(member.pending ? [again] : []),
    'line',
    own ? leave : { label: 'Remove', danger: true, run: () => ask(['remove', member]) },
  ];
}

function columnsFor(me: string | undefined): Column<Member>[] {
  return [
    {
      id: 'member',
      head: 'Member',
      cell: ({ developerId, name, email, pending }) =>
        pending ? (
          <TwoLines strong main={<Address email={email} />} sub="has no account yet" />
        ) : (
          <TwoLines
            strong
            main={
              <>
                <span dir="auto">{name}</span>
                {developerId === me && <span className={css.you}> (you)</span>}
              </>
            }
            sub={<Address email={email} />}
          />
        ),
    },
    {
      id: 'role',
      head: 'Role',
      width: '34%',
      cell: ({ role, pending }) => (
        <span className={css.role}>
          {roleWords[role]}
          {pending && <StatePill tone="warn" word="Pending" />}
        </span>
      ),
    },
    { id: 'since', head: 'Since', width: '18%', cell: ({ since }) => <TimeAgo time={since} /> },
  ];
}

/** Breaks before the @ if it has to break. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

function matches({ name, email }: Member, search: string): boolean {
  return plain(`${name} ${email}`).includes(plain(search));
}

/** Ignores case and accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
