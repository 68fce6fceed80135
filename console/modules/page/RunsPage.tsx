import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { configFacts } from '#console/modules/config/ConfigView.tsx';
import { RecoverPanel } from '#console/modules/runs/RecoverPanel.tsx';
import { RunsView, useFigures } from '#console/modules/runs/RunsView.tsx';
import { FiguresPanel, RetryPanel } from '#console/modules/runs/SidePanels.tsx';
import { useTest } from '#console/modules/runs/TestModule.tsx';
import { NextTimes } from '#console/modules/schedules/NextTimes.tsx';
import { useSchedulePreview } from '#console/modules/schedules/useSchedulePreview.ts';
import { SigningSecret } from '#console/modules/webhooks/SigningSecret.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { recoverSmartModule } from '#contract/moduleRun.ts';
import { readModuleViewDoc, type SmartModule, type SmartModuleType } from '#contract/smartModule.ts';
import { ModuleFrame } from './ModuleFrame.tsx';

interface RunsPageProps {
  module: SmartModule;
  type: SmartModuleType;
}

/** The runs of a module, beside its settings. */
export function RunsPage({ module, type }: RunsPageProps) {
  const test = useTest(module, type);
  const figures = useFigures(module);
  const mayRecover = useMay(recoverSmartModule);
  return (
    <ModuleFrame
      module={module}
      type={type}
      actions={test.button}
      side={
        <>
          {type.id === 'schedule' && <ScheduleTimes module={module} />}
          {(figures.data || !figures.error) && (
            <FiguresPanel figures={figures.data} createdAt={module.createdAt} />
          )}
          {type.id === 'webhook' && <RetryPanel />}
          {mayRecover && type.id !== 'fetch' && (
            <RecoverPanel module={module} since={figures.data?.failingSince} />
          )}
          {type.id !== 'rule' && <ConfigurationPanel module={module} />}
        </>
      }
    >
      <RunsView module={module} />
      {test.dialog}
    </ModuleFrame>
  );
}

function ScheduleTimes({ module }: { module: SmartModule }) {
  const { cron, timeZone = 'UTC' } = module.configData as { cron?: string; timeZone?: string };
  const preview = useSchedulePreview(module.projectId, cron ?? '', timeZone);
  return (
    <Panel title="Next times" note={module.suspended ? 'while it runs' : timeZone}>
      <NextTimes preview={preview} />
    </Panel>
  );
}

/** The main settings, with a link to change them. */
function ConfigurationPanel({ module }: { module: SmartModule }) {
  const { projectId, id: moduleId, moduleType, subscribedEvents, deviceClasses } = module;
  const read = useRead(readModuleViewDoc, { params: { projectId, moduleId } });
  return (
    <Panel
      title="Configuration"
      action={
        <Link
          to="/projects/$projectId/smart_modules/$moduleId/configuration"
          params={{ projectId, moduleId }}
          className={buttonClass('quiet')}
        >
          Open
        </Link>
      }
    >
      {read.data ? (
        <Facts
          facts={[
            ...configFacts(read.data),
            ...(subscribedEvents.length > 0
              ? [['Events', <code key="events">{subscribedEvents.join(' ')}</code>] as const]
              : []),
            ...(deviceClasses.length > 0 ? [['Classes', deviceClasses.join(', ')] as const] : []),
          ]}
        />
      ) : (
        <ReadState read={read} what="The configuration" />
      )}
      {moduleType === 'webhook' && <SigningSecret module={module} />}
    </Panel>
  );
}
