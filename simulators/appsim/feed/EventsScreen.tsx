import { useStore } from '#console/core/store.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { PhonePage, Row, Rows } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { deviceNameIn } from './deviceNameIn.ts';
import css from './feed.module.css';
import { Unread } from './Unread.tsx';

/** Events of the home as they happen. The developer chooses which of them the app receives live. */
export function EventsScreen({ home, feed }: ScreenProps) {
  const events = useStore(feed.events);
  const failure = useStore(feed.failure);
  return (
    <PhonePage title="Events">
      <Unread feed={feed} />
      {events.length === 0 ? (
        !failure && (
          <p className={phoneCss.quiet}>
            No events in the last 24 hours. Events the app subscribes to appear here as they happen.
          </p>
        )
      ) : (
        <Rows label="Events">
          {events.map(({ key, ts, name, payload, deviceId }) => (
            <Row
              key={key}
              main={name}
              sub={
                <>
                  <span dir="auto">{deviceNameIn(home, deviceId)}</span>{' '}
                  <code className={css.payload}>{JSON.stringify(payload)}</code>
                </>
              }
              end={<TimeAgo time={ts} />}
            />
          ))}
        </Rows>
      )}
    </PhonePage>
  );
}
