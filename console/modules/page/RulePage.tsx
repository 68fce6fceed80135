import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { DescriptionField, SubscriptionPanels } from '#console/modules/form/FormPanels.tsx';
import css from '#console/modules/form/form.module.css';
import { SaveActions } from '#console/modules/form/SaveActions.tsx';
import { useModuleEdit } from '#console/modules/form/useModuleEdit.ts';
import { ReplayPanel, SavedReplay, useRuleReplay } from '#console/modules/ruleReplay/ReplayPanel.tsx';
import { LastEvent } from '#console/modules/rules/LastEvent.tsx';
import { LimitsPanel, RulePanels } from '#console/modules/rules/RulePanels.tsx';
import { useTest } from '#console/modules/runs/TestModule.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import type { ModuleConfigDoc } from '#contract/moduleConfig.ts';
import {
  editSmartModule,
  readModuleEditDoc,
  type SmartModule,
  type SmartModuleType,
} from '#contract/smartModule.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import { ModuleConfiguration } from './ModuleConfiguration.tsx';
import { ModuleFrame } from './ModuleFrame.tsx';

interface RulePageProps {
  module: SmartModule;
  type: SmartModuleType;
}

/** A rule: when it acts, what it does, and how it evaluated the latest event. */
export function RulePage({ module, type }: RulePageProps) {
  const params = { projectId: module.projectId, moduleId: module.id };
  const may = useMay(editSmartModule);
  const read = useRead(readModuleEditDoc, { params }, { enabled: may });
  if (!may) return <RuleView module={module} type={type} />;
  if (read.data) return <RuleForm module={module} type={type} doc={read.data} />;
  return (
    <ModuleFrame module={module} type={type}>
      <ReadState read={read} what="The rule" />
    </ModuleFrame>
  );
}

/** Without the form: the saved rule, and what it would have done. A link to the test says why it does not open. */
function RuleView({ module, type }: RulePageProps) {
  useTest(module, type);
  return (
    <ModuleConfiguration module={module} type={type}>
      <SavedReplay module={module} />
    </ModuleConfiguration>
  );
}

function RuleForm({ module, type, doc }: RulePageProps & { doc: ModuleConfigDoc }) {
  const { projectId, id: moduleId } = module;
  const { edit, config } = useModuleEdit(module, doc);
  const replay = useRuleReplay({ projectId, moduleId, values: edit.values, config });
  const test = useTest(module, type);
  const { subscribedEvents, deviceClasses } = edit.values;
  return (
    // Not a `<form>`: the dialogs of the frame contain forms, which may not be nested.
    <>
      <UnsavedChangesGuard dirty={edit.dirty} saving={edit.saving} />
      <ModuleFrame
        module={module}
        type={type}
        actions={
          <>
            {!edit.dirty && test.button}
            <SaveActions
              edit={edit}
              verb="Save rule"
              disabled={config.isBroken || config.faults.length > 0}
            />
          </>
        }
        side={
          <>
            <LastEvent
              projectId={projectId}
              moduleId={moduleId}
              listens={{ subscribedEvents: parseSubscribedEvents(subscribedEvents).names, deviceClasses }}
              isDirty={edit.dirty}
            />
            <LimitsPanel config={config} />
            <SubscriptionPanels projectId={projectId} type={{ ...type, takesEvents: false }} form={edit} />
          </>
        }
      >
        {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
        <FormError error={edit.error} />
        <RulePanels projectId={projectId} form={edit} config={config} />
        <ReplayPanel {...replay} />
        <Panel title="About">
          <div className={css.narrow}>
            <DescriptionField form={edit} />
          </div>
        </Panel>
      </ModuleFrame>
      {test.dialog}
    </>
  );
}
