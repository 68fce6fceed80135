import { useStore } from '#console/core/store.ts';
import { windowState, windowText } from '#console/people/homes/guests/guestWords.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { MyHome } from '#contract/appApi/home.ts';
import { DeviceTile } from '../devices/DeviceTile.tsx';
import { AlertCard } from '../feed/AlertCard.tsx';
import { PhoneBody } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { HomeHead } from './HomeHead.tsx';
import homeCss from './homes.module.css';

/** The devices of a home. */
export function HomeScreen(props: ScreenProps) {
  const { simulation, home, feed } = props;
  const alert = useStore(feed.alerts)?.find(({ state }) => state === 'open');
  const { devices, about } = home;
  return (
    <div className={css.screen}>
      <HomeHead {...props} />
      <PhoneBody>
        {alert && (
          <ul aria-label="Latest alert">
            <AlertCard key={alert.id} alert={alert} home={home} feed={feed} />
          </ul>
        )}
        <GuestLine about={about} />
        {!about.active && (
          <p className={css.quiet}>
            This home is not active yet: you can see everything in it, but control nothing.
          </p>
        )}
        {devices.length === 0 ? (
          <p className={css.quiet}>
            {about.role === 'guest'
              ? 'You have no access to any device right now.'
              : 'No devices yet. Add one with its claim code, under “Add a device” beside the phone.'}
          </p>
        ) : (
          <ul className={homeCss.tiles} aria-label="Devices">
            {devices.map((device, at) => (
              <DeviceTile key={device.id} simulation={simulation} device={device} isFirst={at === 0} />
            ))}
          </ul>
        )}
      </PhoneBody>
    </div>
  );
}

const guestWords = {
  open: 'You are a guest here',
  ahead: 'You will be a guest here',
  over: 'You were a guest here',
};

/** When a guest has access, if not always. */
function GuestLine({ about: { guest, timeZone } }: { about: MyHome }) {
  const now = useNow();
  const time = guest && windowText(guest, timeZone);
  if (!time) return null;
  return (
    <p className={css.quiet}>
      {guestWords[windowState(guest, now)]} {time}.
    </p>
  );
}
