import { useCall } from '#console/core/api.ts';
import { pruned, type Schema } from '#console/modules/config/configSchema.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import type { ModuleConfigDoc } from '#contract/moduleConfig.ts';
import { editSmartModule, type SmartModule } from '#contract/smartModule.ts';
import { fromFields, type ModuleFields, toFields, wordsOf } from './moduleFields.ts';
import { bodyOf, faultsOf, type ModuleValues, valuesOf } from './moduleValues.ts';
import { useConfigForm } from './useConfigForm.ts';

/** The form of an existing module; all changed fields are saved in one request. */
export function useModuleEdit(module: SmartModule, doc: ModuleConfigDoc) {
  const { projectId, id: moduleId, moduleType } = module;
  const schema = doc.schema as Schema;
  const save = useCall(editSmartModule);
  const fields = useEdit<SmartModule, ModuleFields>({
    row: module,
    words: wordsOf(schema),
    toForm: row => toFields(valuesOf(row), schema),
    check: faultsOf,
    send: (changed, ifMatch, all) =>
      save.mutateAsync({ params: { projectId, moduleId }, body: changesOf(changed, all, schema), ifMatch }),
    onDone(saved, sent) {
      if (!saved) return fields.reset();
      toast('Smart module saved');
      fields.follow(toFields(valuesOf(saved), schema), sent);
    },
  });
  const edit = { ...fields, values: fromFields(fields.values) };
  const config = useConfigForm({
    projectId,
    moduleId,
    moduleType,
    doc,
    values: edit.values,
    failure: edit.failure,
    onChange(configData) {
      for (const name of Object.keys(schema.properties ?? {}))
        fields.set(`configData.${name}`, configData[name]);
    },
  });
  return { edit, config };
}

export type ModuleEdit = ReturnType<typeof useModuleEdit>;

/** The fields changed here; a changed configuration is merged into what others have saved meanwhile. */
function changesOf(changed: Partial<ModuleFields>, all: ModuleFields, schema: Schema) {
  const names = Object.keys(changed);
  const values = Object.entries(fromFields(all)).filter(([name]) =>
    names.some(one => one === name || one.startsWith(`${name}.`)),
  );
  const { deviceClasses, dataSourceModules, configData, ...rest } = bodyOf(
    Object.fromEntries(values) as Partial<ModuleValues>,
  );
  return {
    ...rest,
    ...(configData && { configData: pruned(schema, configData) as SmartModule['configData'] }),
    ...(deviceClasses && { deviceClasses: [...deviceClasses] }),
    ...(dataSourceModules && { dataSourceModules: [...dataSourceModules] }),
  };
}
