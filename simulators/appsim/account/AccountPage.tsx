import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Me } from '#sdk/app.ts';
import { nameOfUser } from '../nameOfUser.ts';
import { PhonePage, Row, Rows } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { AppSimulation } from '../simulation.ts';
import { useAct } from '../useAct.ts';
import { useLoaded } from '../useLoaded.ts';

/** The signed-in user, and their other sessions. */
export function AccountPage({ simulation, user }: { simulation: AppSimulation; user: Me }) {
  const { app, navigation } = simulation;
  const { data: sessions = [], error, reload } = useLoaded(() => app.sessions(), user.id);
  const own = useStore(simulation.session)?.id;
  const act = useAct();
  return (
    <PhonePage title={nameOfUser(user)} onBack={() => navigation.back()}>
      <Rows label="Account">
        <Row main="E-mail" end={<span dir="auto">{user.email ?? 'none'}</span>} />
        <Row
          main="Sign-in"
          end={
            [user.hasPassword && 'password', ...user.methods.map(({ label }) => label)]
              .filter(Boolean)
              .join(', ') || 'by your back end'
          }
        />
      </Rows>
      <h3 className={css.heading}>Sessions</h3>
      <FormError error={error ?? act.error} />
      <Rows label="Sessions">
        {sessions.map(({ id, appId, deviceName, lastSeenAt }) => (
          <Row
            key={id}
            main={deviceName || appId}
            sub={
              <>
                {appId}, <TimeAgo time={lastSeenAt} />
              </>
            }
            end={
              id === own ? (
                'this one'
              ) : (
                <Button
                  variant="quiet"
                  busy={act.busy === id}
                  onClick={() => void act.run(id, () => app.endSession(id)).then(reload)}
                >
                  End
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <div className={css.wide}>
        <Button onClick={() => void app.signOut()}>Sign out</Button>
      </div>
    </PhonePage>
  );
}
