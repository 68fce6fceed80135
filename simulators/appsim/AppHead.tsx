import { useEffect } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import frameCss from '../shared/frame.module.css';
import css from './appsim.module.css';
import { nameOfUser } from './nameOfUser.ts';
import type { AppSimulation } from './simulation.ts';

/** The signed-in user, and the phone's network switch. */
export function AppHead({ simulation }: { simulation: AppSimulation }) {
  const { app, address } = simulation;
  const user = useStore(simulation.user);
  const isOffline = useStore(simulation.isOffline);
  useEffect(() => {
    document.title = `${user ? `${nameOfUser(user)}: ` : ''}${address.appId} · App simulator`;
  }, [user, address]);
  return (
    <header className={frameCss.head}>
      <div className={css.title}>
        <h1 tabIndex={-1}>App simulator</h1>
        <CopyText text={address.appId} label="Copy app id" />
        {isOffline ? (
          <StatePill tone="off" word="Offline" />
        ) : user ? (
          <StatePill tone="ok" word="Signed in" detail={<span dir="auto">{nameOfUser(user)}</span>} />
        ) : (
          <StatePill tone="never" word="Signed out" />
        )}
      </div>
      <div className={css.actions}>
        <Button aria-pressed={isOffline} onClick={() => simulation.setOffline(!isOffline)}>
          {isOffline ? 'Go online' : 'Go offline'}
        </Button>
        {user && <Button onClick={() => void app.signOut()}>Sign out</Button>}
      </div>
    </header>
  );
}
