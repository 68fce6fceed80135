import { useConfig } from '#console/modules/config/ConfigContext.ts';
import { isObject, kindsOf, type Schema } from '#console/modules/config/configSchema.ts';
import { ConfigFields } from '#console/modules/controls/ConfigFields.tsx';
import { Button } from '#console/ui/Button.tsx';
import css from './ruleEditor.module.css';
import type { RuleSentence } from './useRuleSentence.ts';

interface ActionPanelProps {
  rule: RuleSentence;
  /** The number of the action. */
  at: number;
  /** The schema of the list of actions. */
  schema: Schema;
  id: string;
  onDone: (removed: boolean) => void;
}

/** The fields of an action, in the place of the choices. */
export function ActionPanel({ rule, at, schema, id, onDone }: ActionPanelProps) {
  const { defs } = useConfig();
  const action = rule.actions[at];
  const kinds = kindsOf(schema.items ?? {}, defs);
  const kind = kinds?.kinds.find(({ value }) => isObject(action) && action[kinds.property] === value);
  if (!kind) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced with each of its fields
    <div
      role="group"
      id={id}
      aria-label={kind.label}
      className={css.action}
      tabIndex={-1}
      data-form={`action${at}`}
      onKeyDown={event => {
        if (event.key === 'Escape' && !event.defaultPrevented) onDone(false);
      }}
    >
      <header>
        <h3>{kind.label}</h3>
        <Button
          variant="quiet"
          onClick={() => {
            rule.setActions(rule.actions.toSpliced(at, 1));
            onDone(true);
          }}
        >
          Remove
        </Button>
      </header>
      <ConfigFields key={`${at} ${kind.value}`} schema={kind.schema} path={['actions', at]} />
    </div>
  );
}
