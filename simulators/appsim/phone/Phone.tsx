import { useStore } from '#console/core/store.ts';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import { CallFailed } from '#contract/client.ts';
import { useNow } from '../../shared/useNow.ts';
import { SignedOut } from '../sign/SignedOut.tsx';
import type { AppSimulation } from '../simulation.ts';
import css from './phone.module.css';
import { SignedIn } from './SignedIn.tsx';

/** The simulated phone. */
export function Phone({ simulation }: { simulation: AppSimulation }) {
  return (
    <section className={css.frame} aria-label="Phone">
      <div className={css.glass}>
        <StatusBar simulation={simulation} />
        <Screen simulation={simulation} />
      </div>
    </section>
  );
}

function StatusBar({ simulation }: { simulation: AppSimulation }) {
  const now = useNow();
  const isOffline = useStore(simulation.isOffline);
  return (
    <div className={css.status}>
      <span aria-hidden="true">{hourText(now)}</span>
      <svg
        aria-hidden="true"
        width="44"
        height="14"
        viewBox="0 0 44 14"
        data-offline={isOffline || undefined}
      >
        <path className={css.bars} d="M1 10v2M5.5 7.5V12M10 5v7M14.5 2.5V12" />
        <rect x="22.5" y="2.5" width="17" height="9" rx="2.5" />
        <path className={css.charge} d="M25 5v4h9V5z" />
        <path d="M42 5.5v3" />
      </svg>
    </div>
  );
}

function Screen({ simulation }: { simulation: AppSimulation }) {
  const config = useStore(simulation.config);
  const user = useStore(simulation.user);
  if (config instanceof CallFailed)
    return (
      <div className={css.centered}>
        <ErrorState what="The app" error={config} onRetry={() => void simulation.readConfig()} />
      </div>
    );
  if (!config || user === undefined)
    return (
      <div className={css.centered}>
        <Skeleton lines={4} />
      </div>
    );
  return user === null ? (
    <SignedOut simulation={simulation} config={config} />
  ) : (
    <SignedIn simulation={simulation} config={config} user={user} />
  );
}
