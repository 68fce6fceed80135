import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { isFailing } from '#console/modules/isFailing.ts';
import { useFigures } from '#console/modules/runs/RunsView.tsx';
import { countText } from '#console/modules/runs/runWords.ts';
import { useFailedCount } from '#console/modules/runs/useFailedCount.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { LastsSince, TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { recoverSmartModule } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { Resume } from './ModuleFrame.tsx';
import css from './page.module.css';

interface ModuleBandsProps {
  module: SmartModule;
  resume: Resume;
  may: boolean;
}

/** Why a module is stopped, above everything else, with a button to continue. */
export function ModuleBands({ module, resume, may }: ModuleBandsProps) {
  const { state, suspendedBecause } = module;
  if (state === 'running')
    return (
      <>
        <FormError error={resume.error} />
        <RestBand module={module} />
        {may && module.moduleType !== 'fetch' && <FailedBand module={module} />}
      </>
    );
  return (
    <>
      <FormError error={resume.error} />
      {state === 'parked' && <ParkedBand module={module} resume={resume} may={may} />}
      {state === 'suspended' && (
        <section className={css.band} data-tone="danger" aria-label="Suspended">
          <WarningIcon />
          <p>
            <b>{suspendedBecause ? 'The platform suspended this module.' : 'This module is suspended.'}</b>{' '}
            {suspendedBecause && <span dir="auto">{sentence(suspendedBecause)} </span>}
            It receives no events until it is resumed.
          </p>
          {may && (
            <Button busy={resume.busy} onClick={resume.run}>
              Resume
            </Button>
          )}
        </section>
      )}
    </>
  );
}

/** Ends the reason with a full stop, as another sentence follows. */
const sentence = (reason: string) => reason.replace(/\.?$/, '.');

/** One of its expressions had to be stopped, or it cannot be read. It runs again by itself, or once it was changed. */
function RestBand({ module: { restsUntil, restsBecause = '' } }: { module: SmartModule }) {
  const now = useNow();
  if (restsUntil === undefined || Date.parse(restsUntil) <= now) return null;
  return (
    <section className={css.band} data-tone="danger" aria-label="Resting">
      <WarningIcon />
      <p>
        <b>
          This module rests and runs again <TimeAgo time={restsUntil} ahead />.
        </b>{' '}
        <span dir="auto">{sentence(restsBecause)}</span> Its events fail until then. Save another
        configuration, and it runs again at once.
      </p>
    </section>
  );
}

function ParkedBand({ module, resume, may }: ModuleBandsProps) {
  const { projectId, id: moduleId, parkedAt = module.changedAt, parkedBecause } = module;
  const { data } = useFigures(module);
  const recover = useCall(recoverSmartModule, { onDone: () => toast('Failed runs are being retried') });
  const since = data?.failingSince ?? parkedAt;
  const isFull = data !== undefined && data.waiting >= parkAfter.waiting;
  return (
    <section className={css.band} aria-label="Parked">
      <WarningIcon />
      <p>
        <b>
          This module was parked <TimeAgo time={parkedAt} />.
        </b>{' '}
        {parkedBecause && <span dir="auto">{sentence(parkedBecause)} </span>}
        {isFull ? 'Further events are dropped until there is room.' : 'Events still reach it and wait.'}{' '}
        “Recover” also retries what failed.
      </p>
      {may && (
        <span className={css.buttons}>
          <Button
            variant="primary"
            busy={recover.isPending}
            onClick={() => recover.mutate({ params: { projectId, moduleId }, body: { since } })}
          >
            Recover
          </Button>
          <Button busy={resume.busy} onClick={resume.run}>
            Resume
          </Button>
        </span>
      )}
      <FormError error={recover.error} />
    </section>
  );
}

/** Runs that failed and are not retried automatically, shown where developers look first. */
function FailedBand({ module }: { module: SmartModule }) {
  const { projectId, id: moduleId, moduleType } = module;
  const { data } = useFigures(module);
  const [dayAgo] = useState(() => new Date(serverNow() - dayMs).toISOString());
  const { failingSince = dayAgo, lastFailedAt = '', failedNow = 0, waiting = 0 } = data ?? {};
  const now = useNow();
  const since = failingSince < dayAgo ? failingSince : dayAgo;
  const isRecent = lastFailedAt >= since && failedNow > 0;
  const { count } = useFailedCount(module, isRecent ? since : undefined, `${lastFailedAt} ${failedNow}`);
  const recover = useCall(recoverSmartModule, {
    onDone: answer => toast(`Retrying ${countText(answer.count, moduleType)}`),
  });
  if (!isRecent || !count)
    return (
      <>
        <FormError error={recover.error} />
        {isFailing(data?.failingSince, now) && waiting > 0 && (
          <RetryingBand since={failingSince} {...{ waiting, moduleType }} />
        )}
      </>
    );
  const params = { projectId, moduleId };
  return (
    <section className={css.band} aria-label="Failed">
      <WarningIcon />
      <p>
        <b>
          {countText(count, moduleType)} failed, the last one <TimeAgo time={lastFailedAt} />.
        </b>{' '}
        {waiting > 0 ? 'Waiting runs follow automatically.' : 'New events are handled as usual.'}
      </p>
      <span className={css.buttons}>
        <Link
          to={`/projects/$projectId/smart_modules/$moduleId${moduleType === 'rule' ? '/runs' : ''}`}
          params={params}
          search={{ state: 'failed' } as never}
          className={buttonClass()}
        >
          Show
        </Link>
        <Button
          variant="primary"
          busy={recover.isPending}
          onClick={() => recover.mutate({ params, body: { since } })}
        >
          Recover now
        </Button>
      </span>
      <FormError error={recover.error} />
    </section>
  );
}

/** Nothing is lost yet: waiting runs are retried, so there is nothing to recover. */
function RetryingBand({
  since,
  waiting,
  moduleType,
}: {
  since: string;
  waiting: number;
  moduleType: ModuleTypeId;
}) {
  return (
    <section className={css.band} aria-label="Failing">
      <WarningIcon />
      <p>
        <b>
          Every attempt has failed for <LastsSince time={since} />.
        </b>{' '}
        {countText(waiting, moduleType)} {waiting === 1 ? 'waits and is' : 'wait and are'} retried
        automatically. Send a test to see what goes wrong now.
      </p>
    </section>
  );
}
