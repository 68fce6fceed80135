import { useStore } from '#console/core/store.ts';
import { PhonePage } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { AlertCard } from './AlertCard.tsx';
import css from './feed.module.css';
import { Unread } from './Unread.tsx';

/** The alerts of the home's devices: open ones first, then acknowledged ones. */
export function AlertsScreen({ home, feed }: ScreenProps) {
  const read = useStore(feed.alerts);
  const alerts = read ?? [];
  const of = (title: string, isOpen: boolean) => {
    const some = alerts.filter(({ state }) => (state === 'open') === isOpen);
    return (
      some.length > 0 && (
        <>
          {!isOpen && <h3 className={phoneCss.heading}>{title}</h3>}
          <ul className={css.alerts} aria-label={`${title} alerts`}>
            {some.map(alert => (
              <AlertCard key={alert.id} alert={alert} home={home} feed={feed} />
            ))}
          </ul>
        </>
      )
    );
  };
  return (
    <PhonePage title="Alerts">
      <Unread feed={feed} />
      {read?.length === 0 && <p className={phoneCss.quiet}>No device of this home has raised an alert.</p>}
      {of('Open', true)}
      {of('Seen', false)}
    </PhonePage>
  );
}
