import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { MyAlert } from '#contract/appApi/alert.ts';
import type { LiveHome } from '#sdk/app.ts';
import { useAct } from '../useAct.ts';
import { deviceNameIn } from './deviceNameIn.ts';
import css from './feed.module.css';
import type { HomeFeed } from './homeFeed.ts';

interface AlertCardProps {
  alert: MyAlert;
  home: LiveHome;
  feed: HomeFeed;
}

/** The next action, by state. */
const next = {
  open: ['Seen', 'acknowledged'],
  acknowledged: ['Resolve', 'resolved'],
  resolved: ['Reopen', 'open'],
} as const;

/** An alert, with the button for its next state. The change applies to all members of the home. */
export function AlertCard({ alert, home, feed }: AlertCardProps) {
  const { state, severity, text, deviceId, lastAt, count, change } = alert;
  const act = useAct();
  const mayChange = home.device(deviceId)?.about.rights.includes('control');
  const [verb, to] = next[state];
  return (
    <li className={css.alert} data-severity={state === 'open' ? severity : undefined}>
      <div>
        <b dir="auto">{text}</b>
        <small>
          <span dir="auto">{deviceNameIn(home, deviceId)}</span>, <TimeAgo time={lastAt} />
          {count > 1 && `, ${count} times`}
          {change && `, ${state}${change.by.name ? ` by ${change.by.name}` : ''}`}
        </small>
        <FormError error={act.error} />
      </div>
      {mayChange && (
        <Button
          variant="quiet"
          busy={act.busy !== undefined}
          onClick={() => void act.run(verb, () => feed.changeAlert(alert, to))}
        >
          {verb}
        </Button>
      )}
    </li>
  );
}
