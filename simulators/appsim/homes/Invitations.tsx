import { windowText } from '#console/people/homes/guests/guestWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Row, Rows } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { AppSimulation } from '../simulation.ts';
import { useAct } from '../useAct.ts';
import { useLoaded } from '../useLoaded.ts';

/** The home's time zone is not known before joining it. */
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Invitations of the user's address to homes. */
export function Invitations({ simulation }: { simulation: AppSimulation }) {
  const { app } = simulation;
  const { data: invitations = [], error, reload } = useLoaded(() => app.invitations(), simulation);
  const act = useAct();
  if (invitations.length === 0) return <FormError error={error ?? act.error} />;
  return (
    <>
      <h3 className={css.heading}>Invitations</h3>
      <FormError error={act.error} />
      <Rows label="Invitations">
        {invitations.map(({ id, home, role, guest, invitedBy }) => (
          <Row
            key={id}
            main={home.name}
            sub={[role, guest && windowText(guest, ownZone), `from ${invitedBy.name || 'a member'}`]
              .filter(Boolean)
              .join(', ')}
            end={
              <>
                <Button
                  variant="quiet"
                  onClick={() => void act.run(`decline ${id}`, () => app.decline(id)).then(reload)}
                >
                  Decline
                </Button>
                <Button
                  busy={act.busy === `accept ${id}`}
                  onClick={() =>
                    void act.run(`accept ${id}`, async () => {
                      const accepted = await app.accept({ invitationId: id });
                      await simulation.readHomes(accepted.id);
                      simulation.navigation.show('home');
                    })
                  }
                >
                  Accept
                </Button>
              </>
            }
          />
        ))}
      </Rows>
    </>
  );
}
