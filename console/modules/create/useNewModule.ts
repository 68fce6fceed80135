import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { initialOf, type Json, type Schema, withDefaults } from '#console/modules/config/configSchema.ts';
import type { Example } from '#console/modules/examples.ts';
import { bodyOf, emptyModule, faultsOf, type ModuleValues } from '#console/modules/form/moduleValues.ts';
import { useConfigForm } from '#console/modules/form/useConfigForm.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import type { ConfigDoc } from '#contract/moduleConfig.ts';
import { createSmartModule, type SmartModuleType } from '#contract/smartModule.ts';
import { chosenIdPattern } from '#rules/chosenId.ts';

export interface NewModuleProps {
  projectId: string;
  type: SmartModuleType;
  doc: ConfigDoc;
  example: Example | undefined;
  /** The initial values. */
  given: Partial<NewValues> | undefined;
}

export type NewValues = ModuleValues & { id: string; suspended: boolean };

/** The form of a new module and of its configuration. `onCreated` is called before the module is opened. */
export function useNewModule({ projectId, type, doc, given }: NewModuleProps, onCreated?: () => void) {
  const navigate = useNavigate();
  const create = useCall(createSmartModule);
  const form = useForm<NewValues>({
    initial: initialValues(doc, given),
    check: values => ({ ...idFault(values.id.trim()), ...faultsOf(values) }),
    async submit({ id, deviceClasses, dataSourceModules, configData: _, ...values }) {
      const rest = bodyOf(values);
      const body = {
        ...rest,
        id: id.trim(),
        moduleType: type.id,
        configData: config.sent,
        deviceClasses: [...deviceClasses],
        dataSourceModules: [...dataSourceModules],
      };
      const { id: moduleId } = await create.mutateAsync({ params: { projectId }, body });
      form.reset();
      onCreated?.();
      toast(`${type.name} created`);
      const to = '/projects/$projectId/smart_modules/$moduleId';
      await navigate({ to, params: { projectId, moduleId }, search: {}, replace: true, ignoreBlocker: true });
    },
  });
  const config = useConfigForm({
    projectId,
    moduleType: type.id,
    doc,
    values: form.values,
    failure: form.failure,
    onChange: (configData: Json) => form.set('configData', configData),
  });
  return { form, config };
}

export type NewModule = ReturnType<typeof useNewModule>;

/** Completes the given values with the type's defaults, also in the items of lists. */
export function initialValues(doc: ConfigDoc, given: NewModuleProps['given']): NewValues {
  const schema = doc.schema as Schema;
  const configData = withDefaults(schema, { ...(initialOf(schema) as Json), ...given?.configData }) as Json;
  return { ...emptyModule, suspended: false, ...given, configData, id: given?.id ?? '' };
}

function idFault(id: string): { id?: string } {
  if (id === '') return { id: 'REQUIRED' };
  return chosenIdPattern.test(id) ? {} : { id: 'INVALID_FORMAT' };
}
