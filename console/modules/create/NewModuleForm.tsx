import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { initialOf, type Json, type Schema, withDefaults } from '#console/modules/config/configSchema.ts';
import type { Example } from '#console/modules/examples.ts';
import { ConfigPanel, DescriptionField, SubscriptionPanels } from '#console/modules/form/FormPanels.tsx';
import css from '#console/modules/form/form.module.css';
import type { ModuleForm } from '#console/modules/form/ModuleForm.ts';
import { bodyOf, emptyModule, faultsOf, type ModuleValues } from '#console/modules/form/moduleValues.ts';
import { type ModuleConfigForm, useConfigForm } from '#console/modules/form/useConfigForm.ts';
import { ReplayPanel } from '#console/modules/ruleReplay/ReplayPanel.tsx';
import { LastEvent } from '#console/modules/rules/LastEvent.tsx';
import { LimitsPanel, RulePanels } from '#console/modules/rules/RulePanels.tsx';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { ConfigDoc } from '#contract/moduleConfig.ts';
import { createSmartModule, type SmartModuleType } from '#contract/smartModule.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

interface NewModuleFormProps {
  projectId: string;
  type: SmartModuleType;
  doc: ConfigDoc;
  example: Example | undefined;
  /** The initial values. */
  given: (Partial<ModuleValues> & { id: string }) | undefined;
}

type Values = ModuleValues & { id: string };

export function NewModuleForm(props: NewModuleFormProps) {
  const { projectId, type, example } = props;
  const navigate = useNavigate();
  const { form, config } = useNewModule(props);
  const toList = { to: '/projects/$projectId/smart_modules', params: { projectId } } as const;
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <UnsavedChangesGuard dirty={form.dirty} saving={form.saving} ofDialog />
      <Screen
        title={`New ${type.name.toLowerCase()}`}
        actions={
          <>
            <Button onClick={() => void navigate(toList)}>Cancel</Button>
            <Button
              type="submit"
              variant="primary"
              busy={form.saving}
              disabled={config.isBroken || (type.id === 'rule' && config.faults.length > 0)}
            >
              Create {type.name.toLowerCase()}
            </Button>
          </>
        }
      >
        <FormError error={form.error} />
        <Columns side={<Side {...props} form={form} config={config} />}>
          <Panel title={example?.title ?? type.name} note={example ? example.says : type.summary}>
            <div className={css.narrow}>
              <TextField
                label="Module id"
                mono
                autoFocus={!example}
                autoComplete="off"
                spellCheck={false}
                placeholder={example?.moduleId ?? 'frost-guard'}
                maxLength={idMax}
                hint="Letters and digits, with - or _ in between. It cannot change later."
                {...form.field('id')}
              />
              <DescriptionField form={form} />
            </div>
          </Panel>
          {type.id === 'rule' ? (
            <>
              <RulePanels projectId={projectId} form={form} config={config} />
              <ReplayPanel projectId={projectId} values={form.values} config={config} />
            </>
          ) : (
            <ConfigPanel config={config} />
          )}
        </Columns>
      </Screen>
    </form>
  );
}

interface SideProps extends Pick<NewModuleFormProps, 'projectId' | 'type'> {
  form: ModuleForm;
  config: ModuleConfigForm;
}

function Side({ projectId, type, form, config }: SideProps) {
  if (type.id !== 'rule') return <SubscriptionPanels projectId={projectId} type={type} form={form} />;
  return (
    <>
      <LastEvent projectId={projectId} listens={listensOf(form.values)} isDirty />
      <LimitsPanel config={config} />
      <SubscriptionPanels projectId={projectId} type={{ ...type, takesEvents: false }} form={form} />
    </>
  );
}

function useNewModule({ projectId, type, doc, given }: NewModuleFormProps) {
  const navigate = useNavigate();
  const create = useCall(createSmartModule);
  const form = useForm<Values>({
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

/** Completes the given values with the type's defaults, also in the items of lists. */
function initialValues(doc: ConfigDoc, given: NewModuleFormProps['given']): Values {
  const schema = doc.schema as Schema;
  const configData = withDefaults(schema, { ...(initialOf(schema) as Json), ...given?.configData }) as Json;
  return { ...emptyModule, ...given, configData, id: given?.id ?? '' };
}

const listensOf = ({ subscribedEvents, deviceClasses }: ModuleValues) => ({
  subscribedEvents: parseSubscribedEvents(subscribedEvents).names,
  deviceClasses,
});

function idFault(id: string): { id?: string } {
  if (id === '') return { id: 'REQUIRED' };
  return chosenIdPattern.test(id) ? {} : { id: 'INVALID_FORMAT' };
}
