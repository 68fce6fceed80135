import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type ModuleRunDetail, readModuleRun, resendModuleRun } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { AttemptView } from './AttemptView.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import css from './runDetail.module.css';

const refetchMs = 5_000;

/** A run with its input and the result of each attempt. */
export function RunDetail({ module, runId }: { module: SmartModule; runId: string }) {
  const { projectId, id: moduleId } = module;
  const read = useRead(
    readModuleRun,
    { params: { projectId, moduleId, runId } },
    { refetchInterval: refetchMs },
  );
  if (!read.data) return <ReadState read={read} what="The run" skeleton={<Skeleton lines={4} />} />;
  return <Detail module={module} run={read.data} />;
}

function Detail({ module, run }: { module: SmartModule; run: ModuleRunDetail }) {
  const { projectId, id: moduleId, moduleType } = module;
  const may = useMay(resendModuleRun);
  const { run: noun } = typeWords[moduleType];
  const again = useCall(resendModuleRun, { onDone: () => toast('Retrying') });
  const [chosen, setChosen] = useState<string>();
  const { history } = run;
  const number = chosen === undefined ? history.length - 1 : Number(chosen);
  const attempt = history[number] ?? history.at(-1);
  return (
    <section className={css.inside} aria-label={`Details of the ${noun}`}>
      <header className={css.insideHead}>
        <span className={css.id}>
          {noun === 'delivery' ? 'Delivery' : 'Run'} <code>{run.id}</code>
        </span>
        {history.length > 1 && (
          <Segments
            label="Attempt"
            options={history.map((_, at) => ({ value: String(at), label: String(at + 1) }))}
            chosen={String(number)}
            onChange={setChosen}
          />
        )}
        {may && run.state !== 'waiting' && (
          <Button
            variant="quiet"
            busy={again.isPending}
            disabled={module.suspended}
            title={module.suspended ? 'The module is suspended. Resume it first.' : undefined}
            onClick={() => again.mutate({ params: { projectId, moduleId, runId: run.id } })}
          >
            {noun === 'delivery' ? 'Send again' : 'Run again'}
          </Button>
        )}
      </header>
      <FormError error={again.error} />
      {attempt ? <AttemptView attempt={attempt} /> : <p className={css.quiet}>{untriedText(run)}</p>}
      {!attempt?.sent && run.payload !== undefined && (
        <CodeBlock title="Input" text={JSON.stringify(run.payload, null, 2)} />
      )}
      {run.causedBy.length > 0 && <CausedBy projectId={projectId} runs={run.causedBy} />}
    </section>
  );
}

/** The runs that led to this one, with their modules. */
function CausedBy({ projectId, runs }: { projectId: string; runs: ModuleRunDetail['causedBy'] }) {
  return (
    <p className={css.quiet}>
      Caused by {runs.length === 1 ? 'a run of ' : `a chain of ${runs.length} runs: `}
      {runs.map(({ runId, moduleId }, at) => (
        <Fragment key={runId}>
          {at > 0 && ' → '}
          {moduleId === undefined ? (
            'a deleted module'
          ) : (
            <Link
              to="/projects/$projectId/smart_modules/$moduleId/runs"
              params={{ projectId, moduleId }}
              search={{ run: runId } as never}
              title={runId}
            >
              {moduleId}
            </Link>
          )}
        </Fragment>
      ))}
    </p>
  );
}

const untriedText = ({ state, summary }: ModuleRunDetail) =>
  state === 'waiting' ? 'Not tried yet.' : `${summary || 'Not tried'}.`;
