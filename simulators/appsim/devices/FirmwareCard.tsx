import { serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { MyUpdate } from '#contract/appApi/device.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { LiveDevice } from '#sdk/app.ts';
import phoneCss from '../phone/phone.module.css';
import { useAct } from '../useAct.ts';
import css from './devices.module.css';

/** New firmware that the user can approve or postpone; renders nothing if there is none. */
export function FirmwareCard({ device }: { device: LiveDevice }) {
  const { update } = device;
  const { busy, error, run } = useAct();
  if (!update?.answerable) return null;
  const { sequence, versions, consent } = update;
  const answer = (what: string, body: Parameters<LiveDevice['answerUpdate']>[0]) =>
    run(what, () => device.answerUpdate(body));
  const until = () => new Date(serverNow() + dayMs).toISOString();
  return (
    <section aria-label="Firmware" className={phoneCss.form}>
      <h3 className={css.heading}>New firmware</h3>
      <p className={css.quiet}>
        {versions.map(({ component, version }) => `${component} ${version}`).join(', ')}.{' '}
        <Said update={update} />
      </p>
      <FormError error={error} />
      {device.about.rights.includes('configure') && (
        <div className={phoneCss.wide}>
          {consent?.answer !== 'install' && (
            <Button
              variant="primary"
              busy={busy === 'install'}
              onClick={() => void answer('install', { sequence, answer: 'install' })}
            >
              Install now
            </Button>
          )}
          {consent?.answer !== 'later' && (
            <Button
              busy={busy === 'later'}
              onClick={() => void answer('later', { sequence, answer: 'later', until: until() })}
            >
              Postpone until tomorrow
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Said({ update: { consent, waitsFor } }: { update: MyUpdate }) {
  if (consent?.answer === 'install') return 'You approved it. It will be installed soon.';
  if (consent?.until)
    return (
      <>
        Postponed. You will be asked again <TimeAgo time={consent.until} />.
      </>
    );
  return waitsFor === 'consent' ? 'The device waits for your consent.' : 'It is on its way.';
}
