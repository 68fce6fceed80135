import { Link } from '@tanstack/react-router';
import clamp from '#console/ui/Clamp.module.css';
import { localTime } from '#console/ui/logs/localTime.ts';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { ModuleRun } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { RunDetail } from './RunDetail.tsx';
import css from './runs.module.css';
import { retryWords, runCause, runTime, runTones, runWord } from './runWords.ts';

interface RunRowProps {
  module: SmartModule;
  run: ModuleRun;
  isOpen: boolean;
  onToggle: () => void;
}

export function RunRow({ module, run, isOpen, onToggle }: RunRowProps) {
  const { projectId, moduleType } = module;
  const { device, state, summary, nextAt } = run;
  const word = runWord(state, moduleType);
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <td>
          <button type="button" className={css.opener} aria-expanded={isOpen} onClick={onToggle}>
            <time dateTime={runTime(run)}>{localTime(runTime(run))}</time>
          </button>
        </td>
        <td>
          <code className={css.event}>{runCause(run)}</code>
          {run.isTest && run.event && <small> test</small>}
          {device && (
            <span className={css.deviceBelow} dir="auto">
              {nameOf(device)}
            </span>
          )}
        </td>
        <td>
          {device && (
            <Link
              to="/projects/$projectId/devices/$deviceId"
              params={{ projectId, deviceId: device.id }}
              className={css.device}
              dir="auto"
            >
              {nameOf(device)}
            </Link>
          )}
        </td>
        <td>
          <Attempts run={run} ofSeven={moduleType === 'webhook'} />
        </td>
        <td>
          <span className={css.outcome}>
            <Dot tone={runTones[state]} />
            <span className={clamp.clamp} title={summary}>
              <b>{word}</b>
              {summary && <span dir="auto"> {summary}</span>}
            </span>
          </span>
        </td>
        <td>{nextAt && state === 'waiting' ? <TimeAgo time={nextAt} ahead /> : ''}</td>
      </tr>
      {isOpen && (
        <tr className={css.detail}>
          <td colSpan={6}>
            <RunDetail module={module} runId={run.id} />
          </td>
        </tr>
      )}
    </>
  );
}

const nameOf = ({ name, tag, id }: NonNullable<ModuleRun['device']>) => name || tag || id;

/** A box for each attempt; for a webhook also for the retries still to come. */
function Attempts({ run: { attempts, state }, ofSeven }: { run: ModuleRun; ofSeven: boolean }) {
  const shown = ofSeven ? retryWords.length : Math.min(attempts, retryWords.length);
  const wasGood = state === 'done';
  return (
    <span className={css.attempts}>
      {Array.from({ length: shown }, (_, at) => {
        const kind = at >= attempts ? 'none' : wasGood && at === attempts - 1 ? 'ok' : 'failed';
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are identified by number
        return <i key={at} data-kind={kind} />;
      })}
      <span className="visuallyHidden">{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
    </span>
  );
}
