import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { CodeBlock } from '#console/modules/runs/CodeBlock.tsx';
import { runTones, runWord } from '#console/modules/runs/runWords.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { type Explanation, explainModule } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { EventList } from './EventList.tsx';
import { ExplanationSteps, verdictText } from './ExplanationSteps.tsx';
import css from './why.module.css';

/** Why a module did something for an event, or did not. */
export function WhyNotView({ module }: { module: SmartModule }) {
  const [url, change] = useUrlState();
  return (
    <div className={css.columns}>
      <EventList
        module={module}
        chosen={url.event}
        onChoose={event => change({ event }, { replace: url.event === undefined })}
      />
      {url.event ? (
        <ExplanationPanel key={url.event} module={module} eventId={url.event} />
      ) : (
        <Panel title="Why not?">
          <p className={css.quiet}>Choose an event to see, step by step, how the module handled it.</p>
        </Panel>
      )}
    </div>
  );
}

function ExplanationPanel({ module, eventId }: { module: SmartModule; eventId: string }) {
  const { projectId, id: moduleId } = module;
  const read = useRead(explainModule, { params: { projectId, moduleId }, query: { eventId } });
  return (
    <Panel title="Why not?" note={read.data && <code>{read.data.event.name}</code>}>
      {read.data ? (
        <Steps module={module} explanation={read.data} />
      ) : (
        <ReadState read={read} what="The explanation" />
      )}
    </Panel>
  );
}

function Steps({ module, explanation }: { module: SmartModule; explanation: Explanation }) {
  const { steps, hit, run, saw, event } = explanation;
  const deciding = steps.findIndex(({ isOk }) => !isOk);
  return (
    <div className={css.explanation}>
      <p className={css.verdict} data-hit={hit || undefined}>
        <b>{verdictText(explanation)}</b>{' '}
        {hit ? 'All checks passed.' : deciding >= 0 ? `Stopped at check ${deciding + 1}.` : ''}
      </p>
      <ExplanationSteps steps={steps} />
      {run && (
        <p className={css.run}>
          <StatePill shape="plain" tone={runTones[run.state]} word={runWord(run.state, module.moduleType)} />{' '}
          <span dir="auto">{run.summary}</span>
        </p>
      )}
      <CodeBlock title="What the module saw" text={JSON.stringify(saw ?? event.payload, null, 2)} />
    </div>
  );
}
