import type { ReactNode } from 'react';
import { ConfigContext } from '#console/modules/config/ConfigContext.ts';
import type { Schema } from '#console/modules/config/configSchema.ts';
import { Cards } from '#console/modules/controls/Cards.tsx';
import { ConfigFields } from '#console/modules/controls/ConfigFields.tsx';
import { ConfigProperty } from '#console/modules/controls/ConfigProperty.tsx';
import type { ModuleForm } from '#console/modules/form/ModuleForm.ts';
import type { ModuleConfigForm } from '#console/modules/form/useConfigForm.ts';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ListensLine } from './ListensLine.tsx';
import css from './rule.module.css';

interface RulePanelsProps {
  projectId: string;
  form: ModuleForm;
  config: ModuleConfigForm;
}

/** Properties before this one are about when the rule acts; those after it are about limits. */
const actionsName = 'actions';

/** When a rule acts, and what it does then. */
export function RulePanels({ projectId, form, config }: RulePanelsProps) {
  return (
    <ConfigContext value={config.config}>
      <Panel title="Condition" note="CEL, over the event and the device’s state">
        <ConditionFields projectId={projectId} form={form} config={config}>
          <Verdict config={config} />
        </ConditionFields>
      </Panel>
      <Panel title="Actions" note={actionsNote(form)}>
        <ActionCards config={config} />
      </Panel>
    </ConfigContext>
  );
}

/** The events, the condition as code, and for how long it must hold. */
export function ConditionFields({
  projectId,
  form,
  config,
  children,
}: RulePanelsProps & { children?: ReactNode }) {
  const { schema } = config;
  return (
    <div className={css.condition}>
      <ListensLine projectId={projectId} form={form} />
      <ConfigFields schema={schema} without={namesFrom(schema, actionsName)} />
      {children}
    </div>
  );
}

export function ActionCards({ config: { schema } }: Pick<RulePanelsProps, 'config'>) {
  const actions = schema.properties?.[actionsName];
  return actions && <Cards schema={actions} path={[actionsName]} noun="action" />;
}

/** How often the rule may act, and the remaining settings. */
export function LimitsPanel({ config }: Pick<RulePanelsProps, 'config'>) {
  const { schema } = config;
  return (
    <ConfigContext value={config.config}>
      <Panel title="Limits">
        <ConfigFields
          schema={schema}
          without={Object.keys(schema.properties ?? {}).filter(
            name => !namesFrom(schema, actionsName).slice(1).includes(name),
          )}
        />
      </Panel>
    </ConfigContext>
  );
}

/** What the sentence says by itself, as code is without: how often the rule acts. */
const pace = ['acts', 'everyS'];
const said = ['condition', 'forS', actionsName, ...pace];

export const PaceFields = ({ config: { schema } }: Pick<RulePanelsProps, 'config'>) => (
  <Settings schema={schema} isShown={name => pace.includes(name)} />
);

/** Settings that the sentence does not have. */
export const MoreLimits = ({ config: { schema } }: Pick<RulePanelsProps, 'config'>) => (
  <Settings schema={schema} isShown={name => !said.includes(name)} />
);

function Settings({ schema, isShown }: { schema: Schema; isShown: (name: string) => boolean }) {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => isShown(name))
    .map(([name, property]) => (
      <ConfigProperty key={name} name={name} schema={property} path={[name]} required={false} />
    ));
}

/** The names of the properties, starting with `first`. */
function namesFrom({ properties = {} }: Schema, first: string): string[] {
  const names = Object.keys(properties);
  const at = names.indexOf(first);
  return at < 0 ? [] : names.slice(at);
}

function actionsNote({ values: { configData } }: ModuleForm): string {
  const { acts, everyS } = configData as { acts?: string; everyS?: number };
  const most = everyS !== undefined && everyS > 1 ? `, at most once every ${everyS} s per device` : '';
  return acts === 'each' ? `on each event${most}` : `once, when it becomes true${most}`;
}

/** The server's verdict on the current content. */
function Verdict({ config: { check, faults, fits } }: Pick<RulePanelsProps, 'config'>) {
  if (check.error) return <FormError error={check.error} />;
  const isEmpty = faults.some(({ pointer }) => pointer === '/condition');
  return (
    <p className={css.verdict} role="status" data-ok={fits || undefined}>
      {fits && (
        <>
          <CheckIcon size={14} />
          <span>
            Valid condition <span>{check.notes.map(note => ` · ${note}`)}</span>
          </span>
        </>
      )}
      {!fits && faults.length > 0 && !isEmpty && (
        <>
          <WarningIcon size={14} />
          <span>
            {faults.length === 1 ? '1 thing to correct' : `${faults.length} things to correct`} in the actions
            or limits
          </span>
        </>
      )}
    </p>
  );
}
