import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { PhonePage } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { deviceNameIn } from './deviceNameIn.ts';
import css from './feed.module.css';
import type { FeedEvent, HomeFeed } from './homeFeed.ts';

/** What devices of the home raised, those not looked at yet on top. */
export function AlertsScreen({ home, feed }: ScreenProps) {
  const events = useStore(feed.events);
  const seen = useStore(feed.seen);
  const alerts = events.filter(({ alert }) => alert);
  const fresh = alerts.filter(({ key }) => !seen.has(key));
  const old = alerts.filter(({ key }) => seen.has(key));
  return (
    <PhonePage title="Alerts">
      {alerts.length === 0 && <p className={phoneCss.quiet}>No alerts in the last seven days.</p>}
      <ul className={css.alerts} aria-label="New alerts">
        {fresh.map(event => (
          <AlertCard key={event.key} event={event} home={home} feed={feed} />
        ))}
      </ul>
      {old.length > 0 && <h3 className={phoneCss.heading}>Seen</h3>}
      <ul className={css.alerts} aria-label="Seen alerts">
        {old.map(event => (
          <AlertCard key={event.key} event={event} home={home} feed={feed} isSeen />
        ))}
      </ul>
    </PhonePage>
  );
}

interface AlertCardProps {
  event: FeedEvent;
  home: ScreenProps['home'];
  feed: HomeFeed;
  isSeen?: boolean;
}

/** One alert; "Seen" puts it away on this phone. */
export function AlertCard({ event, home, feed, isSeen = false }: AlertCardProps) {
  const { key, ts, alert } = event;
  return (
    <li className={css.alert} data-severity={isSeen ? undefined : alert?.severity}>
      <div>
        <b dir="auto">{alert?.text}</b>
        <small>
          <span dir="auto">{deviceNameIn(home, event.deviceId)}</span>, <TimeAgo time={ts} />
        </small>
      </div>
      {!isSeen && (
        <Button variant="quiet" onClick={() => feed.see(key)}>
          Seen
        </Button>
      )}
    </li>
  );
}
