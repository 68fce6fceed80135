import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { ConfigView } from '#console/modules/config/ConfigView.tsx';
import { ConfigPanel, DescriptionField, SubscriptionPanels } from '#console/modules/form/FormPanels.tsx';
import css from '#console/modules/form/form.module.css';
import { SaveActions } from '#console/modules/form/SaveActions.tsx';
import { useModuleEdit } from '#console/modules/form/useModuleEdit.ts';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import type { ModuleConfigDoc } from '#contract/moduleConfig.ts';
import {
  editSmartModule,
  readModuleEditDoc,
  readModuleViewDoc,
  type SmartModule,
  type SmartModuleType,
} from '#contract/smartModule.ts';
import { ModuleFacts } from './ModuleFacts.tsx';
import { ModuleFrame } from './ModuleFrame.tsx';

interface ModuleProps {
  module: SmartModule;
  type: SmartModuleType;
}

/** The configuration as a form, or read-only, with what follows it, for members who may not change it. */
export function ModuleConfiguration({ module, type, children }: ModuleProps & { children?: ReactNode }) {
  const params = { projectId: module.projectId, moduleId: module.id };
  const may = useMay(editSmartModule);
  const edited = useRead(readModuleEditDoc, { params }, { enabled: may });
  const viewed = useRead(readModuleViewDoc, { params }, { enabled: !may });
  const read = may ? edited : viewed;
  if (!read.data)
    return (
      <ModuleFrame module={module} type={type}>
        <ReadState read={read} what="The configuration" />
      </ModuleFrame>
    );
  return may ? (
    <ConfigurationForm module={module} type={type} doc={read.data} />
  ) : (
    <ModuleFrame module={module} type={type} side={<ModuleFacts module={module} type={type} />}>
      <ConfigView doc={read.data} />
      {children}
    </ModuleFrame>
  );
}

function ConfigurationForm({ module, type, doc }: ModuleProps & { doc: ModuleConfigDoc }) {
  const { edit, config } = useModuleEdit(module, doc);
  return (
    // Not a `<form>`: the dialogs of the frame contain forms, which may not be nested.
    <>
      <UnsavedChangesGuard dirty={edit.dirty} saving={edit.saving} />
      <ModuleFrame
        module={module}
        type={type}
        actions={<SaveActions edit={edit} verb="Save" disabled={config.isBroken} />}
        side={<SubscriptionPanels projectId={module.projectId} type={type} form={edit} />}
      >
        {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
        <FormError error={edit.error} />
        <ConfigPanel config={config} />
        <Panel title="About">
          <div className={css.narrow}>
            <DescriptionField form={edit} />
          </div>
        </Panel>
      </ModuleFrame>
    </>
  );
}
