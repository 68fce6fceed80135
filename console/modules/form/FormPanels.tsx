import { ConfigContext } from '#console/modules/config/ConfigContext.ts';
import { ConfigFields } from '#console/modules/controls/ConfigFields.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { descriptionMax } from '#contract/shapes.ts';
import type { SmartModuleType } from '#contract/smartModule.ts';
import { DataFields } from './DataFields.tsx';
import css from './form.module.css';
import { ListeningFields } from './ListeningFields.tsx';
import type { ModuleForm } from './ModuleForm.ts';
import type { ModuleConfigForm } from './useConfigForm.ts';

interface PanelProps {
  projectId: string;
  type: SmartModuleType;
  form: ModuleForm;
}

export function DescriptionField({ form }: { form: ModuleForm }) {
  return (
    <TextArea
      label="Description (optional)"
      rows={2}
      dir="auto"
      maxLength={descriptionMax}
      placeholder="What this module does"
      {...form.field('description')}
    />
  );
}

/** The configuration of the module's type. */
export function ConfigPanel({ config }: { config: ModuleConfigForm }) {
  const whole = config.config.faultsAt([]);
  return (
    <Panel title="Configuration">
      <ConfigContext value={config.config}>
        <div className={css.narrow}>
          {whole.map(({ message }) => (
            <p key={message} className={css.fault}>
              {message}
            </p>
          ))}
          <ConfigFields schema={config.schema} />
          {config.check.error && <FormError error={config.check.error} />}
          {config.fits && config.check.notes.length > 0 && (
            <p className={css.hint}>{config.check.notes.join(' · ')}</p>
          )}
        </div>
      </ConfigContext>
    </Panel>
  );
}

/** What the module listens to and which data it provides or uses; nothing if its type does neither. */
export function SubscriptionPanels({ projectId, type, form }: PanelProps) {
  return (
    <>
      {type.takesEvents && (
        <Panel title="Listens to">
          <ListeningFields projectId={projectId} form={form} />
        </Panel>
      )}
      {(type.isDataSource || type.dataSourceModuleTypes.length > 0) && (
        <Panel title="Data">
          <DataFields projectId={projectId} type={type} form={form} />
        </Panel>
      )}
    </>
  );
}
