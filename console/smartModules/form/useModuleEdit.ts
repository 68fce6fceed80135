import { useCall } from '#console/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { editSmartModule, type ModuleConfigDoc, type SmartModule } from '#contract/smartModule.ts';
import { bodyOf, faultsOf, moduleWords, valuesOf } from './moduleValues.ts';
import { useConfigForm } from './useConfigForm.ts';

/** The form of a module that exists; whatever differs is saved at once. */
export function useModuleEdit(module: SmartModule, doc: ModuleConfigDoc) {
  const { projectId, id: moduleId, moduleType } = module;
  const save = useCall(editSmartModule);
  const edit = useEdit({
    row: module,
    words: moduleWords,
    toForm: valuesOf,
    check: faultsOf,
    send(changed, ifMatch) {
      const { deviceClasses, dataSourceModules, configData, ...rest } = bodyOf(changed);
      const body = {
        ...rest,
        ...(configData && { configData: config.sent }),
        ...(deviceClasses && { deviceClasses: [...deviceClasses] }),
        ...(dataSourceModules && { dataSourceModules: [...dataSourceModules] }),
      };
      return save.mutateAsync({ params: { projectId, moduleId }, body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast('Smart module saved');
      edit.reset(saved && valuesOf(saved));
    },
  });
  const config = useConfigForm({
    ...{ projectId, moduleId, moduleType, doc, values: edit.values, failure: edit.failure },
    onChange: configData => edit.set('configData', configData),
  });
  return { edit, config };
}

export type ModuleEdit = ReturnType<typeof useModuleEdit>;
