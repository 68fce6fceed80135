import { useStore } from '#console/core/store.ts';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { VersionState } from '#contract/component.ts';
import { percentOf } from './UploadProgress.tsx';
import css from './upload.module.css';
import type { UploadRun } from './uploadRun.ts';
import type { UploadView } from './uploadView.ts';

interface UploadStepsProps {
  state: VersionState;
  view: UploadView | undefined;
  isSigned: boolean;
}

type Stage = 'done' | 'now' | 'ahead' | 'failed';

const marks: Record<Stage, string> = {
  done: 'Done',
  now: 'In progress',
  ahead: 'Not started',
  failed: 'Failed',
};

/** The steps of a file from the developer's disk to a device. */
export function UploadSteps({ state, view, isSigned }: UploadStepsProps) {
  const stored = view?.parts.filter(part => part.state === 'stored').length ?? 0;
  const count = view?.parts.length ?? 0;
  const isSent = state === 'verifying' || state === 'ready';
  const isUnderWay = view !== undefined && view.phase !== 'failed' && view.phase !== 'cancelled';
  const read = view && (view.sha256 ? 100 : percentOf(view.readBytes, view.sizeBytes));
  const steps: readonly [stage: Stage, title: string, text: string][] = [
    [
      isSent || view?.sha256 ? 'done' : isUnderWay ? 'now' : 'ahead',
      'Read in this browser',
      `SHA-256 of the whole file, computed while it is sent${isUnderWay && read !== undefined && !isSent ? `: ${read} %` : ''}`,
    ],
    [
      isSent || (count > 0 && stored === count) ? 'done' : isUnderWay ? 'now' : 'ahead',
      'Stored in parts',
      isUnderWay && !isSent
        ? `${stored} of ${count}, three at a time`
        : 'each with its own checksum, three at a time',
    ],
    [
      state === 'failed' ? 'failed' : state === 'ready' ? 'done' : state === 'verifying' ? 'now' : 'ahead',
      'Verified',
      `size, SHA-256${isSigned ? ' and the signature' : ''}, read once from the store`,
    ],
    [
      state === 'ready' ? 'done' : 'ahead',
      'Ready',
      'can be added to bundles; until then, no device can receive it',
    ],
  ];
  return (
    <Panel title="What happens">
      <ol className={css.steps}>
        {steps.map(([stage, title, text]) => (
          <li key={title} data-stage={stage}>
            <span className={css.mark} aria-hidden="true">
              {stage === 'done' && <CheckIcon size={12} />}
            </span>
            <div>
              <b>{title}</b> <span className="visuallyHidden">{marks[stage]}</span>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The same steps, following an upload that runs in this tab. */
export function LiveUploadSteps({ run, ...rest }: Omit<UploadStepsProps, 'view'> & { run: UploadRun }) {
  return <UploadSteps {...rest} view={useStore(run.view)} />;
}
