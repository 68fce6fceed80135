import css from '#console/apps/keys/keys.module.css';
import { serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { usePress } from '#console/ui/edit/usePress.ts';
import { ShieldIcon } from '#console/ui/icons/icons.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Key, KeyUse } from '#contract/key.ts';
import { dayMs } from '#rules/time/durations.ts';
import { keyUseDays } from '#rules/time/retention.ts';
import { adviceSentence, advised, turnOffLabel } from './adviceWords.ts';

export type PressedKey = ReturnType<typeof usePress<Key>>;

const snoozeMs = keyUseDays * dayMs;

/** The capabilities that the key does not seem to need, judging by its use: without them, a stolen key can do less. */
export function AdviceBand({ pressed, use }: { pressed: PressedKey; use: KeyUse }) {
  const now = useNow();
  const { shown, busy, press } = pressed;
  // A capability switched off here needs no more advice, even before the counts are read again.
  const uses = advised(use).filter(({ capability }) => shown[capability]);
  const isSnoozed = Date.parse(shown.adviceSnoozedUntil ?? '') > now;
  if (uses.length === 0 || isSnoozed) return null;
  const names = uses.map(({ capability }) => capability);
  const turnOff = async () => {
    if (await press(() => Object.fromEntries(names.map(name => [name, false])))) toast('Capabilities saved');
  };
  const snooze = () =>
    press(() => ({ adviceSnoozedUntil: new Date(serverNow() + snoozeMs).toISOString() })).then(
      isDone => isDone && toast('You will be reminded in 30 days'),
    );
  return (
    <section className={css.band} aria-label="Advice">
      <ShieldIcon size={18} />
      <p>
        <b>This key has permissions it does not use.</b> {adviceSentence(uses)}
      </p>
      <span className={css.bandButtons}>
        <Button busy={busy} onClick={() => void turnOff()}>
          {turnOffLabel(names)}
        </Button>
        <Button variant="quiet" onClick={() => void snooze()}>
          Remind me in 30 days
        </Button>
      </span>
    </section>
  );
}
