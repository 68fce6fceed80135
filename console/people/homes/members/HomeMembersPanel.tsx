import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { GuestLines } from '#console/people/homes/guests/GuestLines.tsx';
import css from '#console/people/homes/homes.module.css';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import {
  editHomeMember,
  type Home,
  type HomeInvitation,
  type HomeMember,
  listHomeInvitations,
  listHomeMembers,
} from '#contract/home.ts';
import { listHomeDevices } from '#contract/homeDevice.ts';
import { EditHomeMember } from './EditHomeMember.tsx';
import { type MemberRow, memberColumns } from './memberColumns.tsx';
import { RemoveHomeMember } from './RemoveHomeMember.tsx';
import { RevokeInvitation } from './RevokeInvitation.tsx';

type Acting =
  | { act: 'edit' | 'remove'; member: HomeMember; asGuest?: true }
  | { act: 'revoke'; invitation: HomeInvitation };

interface HomeMembersPanelProps {
  home: Home;
  /** False with legacy access control: there is an owner, and all other members are equal. */
  hasRoles: boolean;
}

/** The members of a home, what each may do, and pending invitations. */
export function HomeMembersPanel({ home, hasRoles }: HomeMembersPanelProps) {
  const { id: homeId, projectId } = home;
  const params = { homeId };
  const read = useRead(listHomeMembers, { params });
  const invitations = useRead(listHomeInvitations, { params });
  const devices = useRead(listHomeDevices, { params }, { enabled: hasRoles });
  const [acting, setActing] = useState<Acting>();
  const mayEdit = useMay(editHomeMember);
  const change = useCall(editHomeMember, { onDone: () => toast('Role changed') });
  // Shown together with the invitations and guest rights, which would move the rest if they came later.
  const isKnown = !invitations.isPending && (!hasRoles || !devices.isPending);
  const members = isKnown ? read.data : undefined;
  const invited = invitations.data ?? [];
  const close = () => setActing(undefined);

  function setRole(member: HomeMember, role: 'admin' | 'member' | 'guest') {
    // A guest has access to certain devices, so the form asks for those first.
    if (role === 'guest') setActing({ act: 'edit', member, asGuest: true });
    else
      change.mutate({
        params: { homeId, userId: member.userId },
        body: { role },
        ifMatch: member.revision,
      });
  }

  return (
    <Panel title="Members" note={members && countText(members.length, invited.length)} flush>
      {!members && (
        <ReadState read={read} what="The members" skeleton={<Skeleton shape="rows" lines={3} unsized />} />
      )}
      {members && <Errors errors={[read.error, invitations.error, change.error]} />}
      {members && (
        <Table<MemberRow>
          label="Members"
          columns={memberColumns({
            projectId,
            hasRoles,
            deviceCount: home.deviceCount,
            setRole: mayEdit ? setRole : undefined,
          })}
          rows={[...members, ...invited]}
          rowKey={row => ('userId' in row ? row.userId : row.id)}
          rowName={row => ('userId' in row ? personName({ id: row.userId, ...nameOf(row) }) : row.email)}
          rowMenu={row => (mayEdit ? menuOf(row, hasRoles, setActing) : [])}
        />
      )}
      {members && hasRoles && (
        <GuestLines
          members={members}
          devices={devices.data}
          timeZone={home.timeZone}
          onEdit={mayEdit ? member => setActing({ act: 'edit', member }) : undefined}
        />
      )}
      {acting && <ActOnMember {...{ home, members, acting }} onClose={close} />}
    </Panel>
  );
}

interface ActOnMemberProps {
  home: Home;
  members: readonly HomeMember[] | undefined;
  acting: Acting;
  onClose: () => void;
}

function ActOnMember({ home, members = [], acting, onClose }: ActOnMemberProps) {
  if (acting.act === 'revoke') return <RevokeInvitation invitation={acting.invitation} onClose={onClose} />;
  const { act, member, asGuest } = acting;
  if (act === 'remove') return <RemoveHomeMember {...{ home, member, onClose }} />;
  // The current member: someone else may have changed the role meanwhile.
  const now = members.find(({ userId }) => userId === member.userId) ?? member;
  return <EditHomeMember {...{ home, asGuest, onClose }} member={now} />;
}

function Errors({ errors }: { errors: readonly Parameters<typeof FormError>[0]['error'][] }) {
  const [first] = errors.filter(Boolean);
  return first ? (
    <div className={css.error}>
      <FormError error={first} />
    </div>
  ) : null;
}

const nameOf = ({ name, email }: HomeMember) => ({ name, email });

/** "4, and 1 invited" */
function countText(members: number, invited: number): string {
  return invited > 0 ? `${members}, and ${invited} invited` : String(members);
}

function menuOf(
  row: MemberRow,
  hasRoles: boolean,
  ask: (acting: Acting) => void,
): readonly (MenuItem | 'line')[] {
  if (!('userId' in row))
    return [{ label: 'Revoke invitation', danger: true, run: () => ask({ act: 'revoke', invitation: row }) }];
  // The owner stays until the home is transferred.
  if (row.role === 'owner') return [];
  const remove = {
    label: 'Remove from home',
    danger: true,
    run: () => ask({ act: 'remove', member: row }),
  };
  if (!hasRoles) return [remove];
  return [{ label: 'Edit access', run: () => ask({ act: 'edit', member: row }) }, 'line', remove];
}
