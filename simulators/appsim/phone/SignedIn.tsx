import { Fragment, type ReactNode } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { LiveHome, Me } from '#sdk/app.ts';
import { AccountPage } from '../account/AccountPage.tsx';
import { DevicePage } from '../devices/DevicePage.tsx';
import { AlertsScreen } from '../feed/AlertsScreen.tsx';
import { EventsScreen } from '../feed/EventsScreen.tsx';
import type { HomeFeed } from '../feed/homeFeed.ts';
import { HomeScreen } from '../homes/HomeScreen.tsx';
import { HomeSettingsPage } from '../homes/HomeSettingsPage.tsx';
import { HomesPage } from '../homes/HomesPage.tsx';
import { NewHomePage } from '../homes/NewHomePage.tsx';
import { InvitePage } from '../members/InvitePage.tsx';
import { MemberPage } from '../members/MemberPage.tsx';
import { MembersScreen } from '../members/MembersScreen.tsx';
import type { AppSimulation, Config } from '../simulation.ts';
import { useHome } from '../useHome.ts';
import css from './phone.module.css';
import { type Page, type Tab, tabs } from './place.ts';
import { tabIcons, tabNames } from './tabIcons.tsx';

interface SignedInProps {
  simulation: AppSimulation;
  config: Config;
  user: Me;
}

/** The props of an app screen. */
export interface ScreenProps extends SignedInProps {
  home: LiveHome;
  feed: HomeFeed;
}

/** The app of a signed-in user: tabs at the bottom, and the pages opened on top of them. */
export function SignedIn(props: SignedInProps) {
  const { simulation } = props;
  const { pages, tab } = useStore(simulation.navigation.place);
  const homes = useStore(simulation.homes);
  const failure = useStore(simulation.failure);
  const home = useHome(simulation);
  const feed = useStore(simulation.feed);
  const page = pages.at(-1);
  if (!homes) return <NotYet simulation={simulation} failed={failure !== undefined} />;
  if (homes.length === 0 && page?.kind !== 'account')
    return <NewHomePage simulation={simulation} config={props.config} isFirst />;
  const inHome = home && feed ? { ...props, home, feed } : undefined;
  const over = page && overTab(page, props, inHome);
  return (
    <>
      {/* A screen belongs to its home: another home gets new ones. */}
      <Fragment key={home?.id}>
        {over ??
          (inHome ? onTab(tab, inHome) : <NotYet simulation={simulation} failed={failure !== undefined} />)}
      </Fragment>
      <Tabs simulation={simulation} chosen={tab} />
    </>
  );
}

function onTab(tab: Tab, props: ScreenProps): ReactNode {
  switch (tab) {
    case 'members':
      return <MembersScreen {...props} />;
    case 'alerts':
      return <AlertsScreen {...props} />;
    case 'events':
      return <EventsScreen {...props} />;
    default:
      return <HomeScreen {...props} />;
  }
}

function overTab(page: Page, props: SignedInProps, inHome: ScreenProps | undefined): ReactNode {
  const { simulation, config } = props;
  switch (page.kind) {
    case 'homes':
      return <HomesPage simulation={simulation} config={config} />;
    case 'newHome':
      return <NewHomePage simulation={simulation} config={config} />;
    case 'account':
      return <AccountPage {...props} />;
    default:
      return inHome && overHome(page, inHome);
  }
}

function overHome(page: Page, props: ScreenProps): ReactNode {
  const { simulation, home } = props;
  switch (page.kind) {
    case 'homeSettings':
      return <HomeSettingsPage {...props} />;
    case 'invite':
      return <InvitePage {...props} />;
    case 'member':
      return <MemberPage {...props} userId={page.userId} />;
    case 'device': {
      const device = home.device(page.deviceId);
      // If the device was released, or a guest's access has ended, the tab is shown.
      return device && <DevicePage key={device.id} simulation={simulation} device={device} />;
    }
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

function Tabs({ simulation, chosen }: { simulation: AppSimulation; chosen: Tab }) {
  return (
    <nav className={css.tabs} aria-label="App">
      {tabs.map(tab => {
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
            {tab === 'alerts' && <NewAlerts simulation={simulation} />}
          </button>
        );
      })}
    </nav>
  );
}

function NewAlerts({ simulation }: { simulation: AppSimulation }) {
  const feed = useStore(simulation.feed);
  return feed ? <AlertCount feed={feed} /> : null;
}

function AlertCount({ feed }: { feed: HomeFeed }) {
  const count = useStore(feed.alerts)?.filter(({ state }) => state === 'open').length;
  if (!count) return null;
  return (
    <span className={css.badge}>
      {count}
      <span className="visuallyHidden"> open</span>
    </span>
  );
}
