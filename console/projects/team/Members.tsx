import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { session } from '#console/core/session.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Avatar } from '#console/people/Avatar.tsx';
import { Button } from '#console/ui/Button.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { addMember, editMember, type Member } from '#contract/team.ts';
import { GiveUpRole } from './GiveUpRole.tsx';
import { LeaveProject } from './LeaveProject.tsx';
import { isLastOwner, MustStay } from './MustStay.tsx';
import { RemoveMember } from './RemoveMember.tsx';
import { RoleCell } from './RoleCell.tsx';
import css from './team.module.css';

/** With fewer members, a search would only be in the way. */
const searchFrom = 10;

type Act = 'mustStay' | 'remove' | 'leave';

interface MembersProps {
  project: Project;
  members: readonly Member[];
  /** The member to highlight: the one who was just added. */
  added: string | undefined;
}

export function Members({ project, members, added }: MembersProps) {
  const [{ q = '' }, change] = useUrlState();
  const [act, setAct] = useState<[Act, Member]>();
  const [givesUpFor, giveUpFor] = useState<Role>();
  const me = session.get()?.developer.id;
  const self = members.find(({ developerId }) => developerId === me);
  const invite = useCall(addMember, { onDone: () => toast('Invitation resent') });
  const resend = (email: string) => invite.mutate({ params: { projectId: project.id }, body: { email } });
  const found = members.filter(member => matches(member, q));
  const close = () => setAct(undefined);
  useActions(self ? [{ label: 'Leave project', run: () => setAct(['leave', self]) }] : []);

  const roles = useRoles(project, members, {
    mustStay: member => setAct(['mustStay', member]),
    giveUp: giveUpFor,
  });
  return (
    <>
      {(members.length > searchFrom || q) && (
        <ListToolbar
          list={{ search: q, searchFor: text => change({ q: text }, { replace: true }) }}
          searchHint="Name, e-mail…"
        />
      )}
      <FormError error={roles.error ?? invite.error} />
      <div className={css.frame}>
        {found.length > 0 ? (
          <Table
            label="Team"
            columns={columnsFor(me, project.role === 'owner' ? roles.choose : undefined)}
            rows={found}
            rowKey={({ developerId }) => developerId}
            rowName={({ name, email, pending }) => (pending ? email : name)}
            rowMenu={member => menuOf(member, { project, me, ask: setAct, invite: resend })}
            marked={({ developerId }) => developerId === added}
          />
        ) : (
          <EmptyState
            title="No matching members"
            action={<Button onClick={() => change({ q: undefined })}>Clear search</Button>}
          />
        )}
      </div>
      {act?.[0] === 'mustStay' && (
        <MustStay title="Change role" reason="LAST_OWNER" project={project} onClose={close} />
      )}
      {self && givesUpFor && (
        <GiveUpRole project={project} self={self} role={givesUpFor} onClose={() => giveUpFor(undefined)} />
      )}
      {act?.[0] === 'remove' && <RemoveMember project={project} member={act[1]} onClose={close} />}
      {act?.[0] === 'leave' && (
        <LeaveProject project={project} self={act[1]} members={members} onClose={close} />
      )}
    </>
  );
}

interface Asks {
  mustStay: (member: Member) => void;
  giveUp: (role: Role) => void;
}

/** Changes roles in place; asks before one that only another owner could change back. */
function useRoles(project: Project, members: readonly Member[], ask: Asks) {
  const me = session.get()?.developer.id;
  const change = useCall(editMember, { onDone: () => toast('Role changed') });
  return {
    error: change.error,
    choose(member: Member, role: Role) {
      const { developerId, revision } = member;
      if (isLastOwner(member, members)) ask.mustStay(member);
      else if (developerId === me) ask.giveUp(role);
      else
        change.mutate({ params: { projectId: project.id, developerId }, body: { role }, ifMatch: revision });
    },
  };
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
    ...(member.pending ? ([again, 'line'] as const) : []),
    own ? leave : { label: 'Remove', danger: true, run: () => ask(['remove', member]) },
  ];
}

function columnsFor(
  me: string | undefined,
  onChoose: ((member: Member, role: Role) => void) | undefined,
): Column<Member>[] {
  return [
    {
      id: 'member',
      head: 'Member',
      cell: ({ developerId, name, email, pending }) => (
        <span className={css.person}>
          <Avatar name={pending ? '' : name} id={developerId} />
          {pending ? (
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
          )}
        </span>
      ),
    },
    {
      id: 'role',
      head: 'Role',
      width: '34%',
      always: true,
      cell: member => <RoleCell member={member} onChoose={onChoose && (role => onChoose(member, role))} />,
    },
    {
      id: 'since',
      head: 'Joined',
      width: '18%',
      cell: ({ since, pending }) =>
        pending ? (
          <>
            invited <TimeAgo time={since} />
          </>
        ) : (
          <TimeAgo time={since} />
        ),
    },
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
