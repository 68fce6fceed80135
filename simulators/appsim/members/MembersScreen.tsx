import { useStore } from '#console/core/store.ts';
import { Avatar } from '#console/people/Avatar.tsx';
import { windowText } from '#console/people/homes/guests/guestWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { MyHomeMember } from '#contract/appApi/home.ts';
import { nameOfUser } from '../nameOfUser.ts';
import { PhonePage, Row, Rows } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { useAct } from '../useAct.ts';
import { useLoaded } from '../useLoaded.ts';
import { useMembers } from './useMembers.ts';

/** The members of the home, and open invitations. */
export function MembersScreen({ simulation, home, user }: ScreenProps) {
  const { navigation } = simulation;
  const members = useMembers(simulation, home);
  const mayInvite = home.about.rights.includes('invite');
  return (
    <PhonePage
      title="Members"
      action={mayInvite && <Button onClick={() => navigation.open({ kind: 'invite' })}>Invite</Button>}
    >
      <FormError error={members.error} />
      <Rows label="Members">
        {(members.data ?? []).map(member => (
          <Row
            key={member.userId}
            main={
              <>
                {nameOfUser(member)} {member.userId === user.id && <small>(you)</small>}
              </>
            }
            sub={<Sub email={member.email} guest={member.guest} timeZone={home.about.timeZone} />}
            end={
              <>
                {member.role}
                <Avatar name={nameOfUser(member)} id={member.userId} />
              </>
            }
            {...(mayInvite &&
              member.role !== 'owner' &&
              member.userId !== user.id && {
                onPress: () => navigation.open({ kind: 'member', userId: member.userId }),
              })}
          />
        ))}
      </Rows>
      {mayInvite && <OpenInvitations simulation={simulation} home={home} />}
    </PhonePage>
  );
}

/** The address, and when a guest has access. */
function Sub({ email, guest, timeZone }: Pick<MyHomeMember, 'email' | 'guest'> & { timeZone: string }) {
  return [email, guest && windowText(guest, timeZone)].filter(Boolean).join(', ');
}

function OpenInvitations({ simulation, home }: Pick<ScreenProps, 'simulation' | 'home'>) {
  const changes = useStore(simulation.homeChanges);
  const { data = [], error, reload } = useLoaded(() => home.invitations(), `${home.id} ${changes}`);
  const act = useAct();
  return (
    <>
      <FormError error={error ?? act.error} />
      {data.length > 0 && (
        <>
          <h3 className={phoneCss.heading}>Invited</h3>
          <Rows label="Invited">
            {data.map(({ id, email, role, guest, expiresAt }) => (
              <Row
                key={id}
                main={email}
                sub={
                  <>
                    {[role, guest && windowText(guest, home.about.timeZone)].filter(Boolean).join(' ')},
                    expires <TimeAgo time={expiresAt} />
                  </>
                }
                end={
                  <Button
                    variant="quiet"
                    busy={act.busy === id}
                    onClick={() => void act.run(id, () => home.revokeInvitation(id)).then(reload)}
                  >
                    Revoke
                  </Button>
                }
              />
            ))}
          </Rows>
        </>
      )}
    </>
  );
}
