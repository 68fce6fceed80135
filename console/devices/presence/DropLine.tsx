import { Link } from '@tanstack/react-router';
import { reasonSentence } from '#console/devices/deviceWords.ts';
import { Button, IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import type { Device } from '#contract/device.ts';
import { minuteMs } from '#rules/time/durations.ts';
import css from './presence.module.css';
import { awayText, type Stretch } from './presenceStretches.ts';
import { spanText } from './presenceTimes.ts';

interface DropLineProps {
  device: Device;
  drops: readonly Stretch[];
  chosen: Stretch;
  onChoose: (drop: Stretch | undefined) => void;
}

/** Added before and after a drop, so that the log also shows what led to it. */
const aroundMs = 5 * minuteMs;

/** One drop: when, how long, why, and a link to the platform's log of that time. */
export function DropLine({ device: { projectId, id: deviceId }, drops, chosen, onChoose }: DropLineProps) {
  const at = drops.indexOf(chosen);
  const [before, after] = [drops[at - 1], drops[at + 1]];
  const iso = (ms: number) => new Date(ms).toISOString();
  const search = { view: 'other', from: iso(chosen.from - aroundMs), to: iso(chosen.from + aroundMs) };
  return (
    <div className={css.drop} role="status">
      <b>{spanText(chosen)}</b>
      <span className={css.why}>
        Disconnected for {awayText(chosen.to - chosen.from)}. {chosen.reason && reasonSentence(chosen.reason)}
      </span>
      <span className={css.further}>
        <Link
          to="/projects/$projectId/devices/$deviceId/system_logs"
          params={{ projectId, deviceId }}
          search={search as never}
        >
          System log at {hourText(chosen.from)}
        </Link>
        {before && (
          <Button variant="quiet" onClick={() => onChoose(before)}>
            Previous drop
          </Button>
        )}
        {after && (
          <Button variant="quiet" onClick={() => onChoose(after)}>
            Next drop
          </Button>
        )}
        <IconButton label="Close" onClick={() => onChoose(undefined)}>
          <CloseIcon size={14} />
        </IconButton>
      </span>
    </div>
  );
}
