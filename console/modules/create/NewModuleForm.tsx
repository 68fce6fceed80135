import { useNavigate } from '@tanstack/react-router';
import { ConfigPanel, DescriptionField, SubscriptionPanels } from '#console/modules/form/FormPanels.tsx';
import css from '#console/modules/form/form.module.css';
import { Button } from '#console/ui/Button.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { idMax } from '#rules/chosenId.ts';
import { type NewModuleProps, useNewModule } from './useNewModule.ts';

/** The form of a new module of any type but a rule, which has a screen of its own. */
export function NewModuleForm(props: NewModuleProps) {
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
            <Button type="submit" variant="primary" busy={form.saving} disabled={config.isBroken}>
              Create {type.name.toLowerCase()}
            </Button>
          </>
        }
      >
        <FormError error={form.error} />
        <Columns side={<SubscriptionPanels {...{ projectId, type, form }} />}>
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
          <ConfigPanel config={config} />
        </Columns>
      </Screen>
    </form>
  );
}
