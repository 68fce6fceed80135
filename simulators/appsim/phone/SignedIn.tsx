import type { ReactNode } from 'react';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { LiveHome, Me } from '#sdk/app.ts';
import { AccountPage } from '../account/AccountPage.tsx';
import { DevicePage } from '../devices/DevicePage.tsx';
import { HomeScreen } from '../homes/HomeScreen.tsx';
import { HomeSettingsPage } from '../homes/HomeSettingsPage.tsx';
import { HomesPage } from '../homes/HomesPage.tsx';
import { NewHomePage } from '../homes/NewHomePage.tsx';
import type { AppSimulation, Config } from '../simulation.ts';
import { useHome } from '../useHome.ts';
import css from './phone.module.css';
import type { Page, Tab } from './place.ts';
import { tabIcons, tabNames } from './tabIcons.tsx';

interface SignedInProps {
  simulation: AppSimulation;
  config: Config;
  user: Me;
}

/** What stands on a screen of the app. */
export interface ScreenProps extends SignedInProps {
  home: LiveHome;
}

/** The app of whoever is signed in: tabs at the foot, and what is opened over them. */
export function SignedIn(props: SignedInProps) {
  const { simulation } = props;
  const { pages, tab } = useStore(simulation.navigation.place);
  const homes = useStore(simulation.homes);
  const failure = useStore(simulation.failure);
  const home = useHome(simulation);
  const page = pages.at(-1);
  if (!homes) return <NotYet simulation={simulation} failed={failure !== undefined} />;
  if (homes.length === 0 && page?.kind !== 'account')
    return <NewHomePage simulation={simulation} config={props.config} isFirst />;
  const over = page && overTab(page, { ...props, home });
  return (
    <>
      {over ?? (home ? onTab(tab, { ...props, home }) : <NotYet simulation={simulation} failed={false} />)}
      <Tabs simulation={simulation} chosen={tab} />
    </>
  );
}

function onTab(tab: Tab, props: ScreenProps): ReactNode {
  switch (tab) {
    default:
      return <HomeScreen {...props} />;
  }
}

function overTab(page: Page, props: SignedInProps & { home: LiveHome | undefined }): ReactNode {
  const { simulation, config } = props;
  switch (page.kind) {
    case 'homes':
      return <HomesPage simulation={simulation} config={config} />;
    case 'newHome':
      return <NewHomePage simulation={simulation} config={config} />;
    case 'account':
      return <AccountPage {...props} />;
    case 'device': {
      const device = props.home?.device(page.deviceId);
      // Released, or shown to a guest no longer: back to the tab.
      return device && <DevicePage key={device.id} simulation={simulation} device={device} />;
    }
    case 'homeSettings':
      return props.home && <HomeSettingsPage {...props} home={props.home} />;
    default:
      return undefined;
  }
}

function NotYet({ simulation, failed }: { simulation: AppSimulation; failed: boolean }) {
  const failure = useStore(simulation.failure);
  return (
    <div className={css.centered}>
      {failed ? (
        <>
          <FormError error={failure} />
          <Button onClick={() => void simulation.readHomes()}>Retry</Button>
        </>
      ) : (
        <Skeleton lines={5} />
      )}
    </div>
  );
}

const shownTabs: readonly Tab[] = ['home'];

function Tabs({ simulation, chosen }: { simulation: AppSimulation; chosen: Tab }) {
  return (
    <nav className={css.tabs} aria-label="App">
      {shownTabs.map(tab => {
        const Icon = tabIcons[tab];
        return (
          <button
            key={tab}
            type="button"
            aria-current={tab === chosen ? 'page' : undefined}
            onClick={() => simulation.navigation.show(tab)}
          >
            <Icon size={20} />
            {tabNames[tab]}
          </button>
        );
      })}
    </nav>
  );
}
