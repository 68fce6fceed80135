import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { celLanguage } from '#console/ui/code/codeLanguages.ts';
import { CodeField, type CodeMark } from '#console/ui/form/CodeField.tsx';
import type { ConfigFault } from '#contract/moduleConfig.ts';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';
import { useRuleNames } from './useRuleNames.ts';

/** A condition: names are suggested while typing, and faults are underlined in place. */
export function ConditionControl({ schema, path, label }: ControlProps) {
  const { projectId, deviceClasses, faultsAt, isChecked } = useConfig();
  const { value, set, touch } = useConfigField(path);
  const { words } = useRuleNames(projectId, deviceClasses);
  const text = typeof value === 'string' ? value : '';
  const faults = faultsAt(path);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced at every keystroke
    <div className={css.group} role="group" aria-label={label}>
      <CodeField
        label="Condition"
        language={celLanguage}
        value={text}
        words={words}
        marks={isChecked ? faults.flatMap(fault => markOf(text, fault)) : noMarks}
        lines={[4, 16]}
        onChange={next => {
          set(next);
          touch();
        }}
      />
      {faults.map(({ message }) => (
        <p key={message} className={css.fault}>
          {message}
        </p>
      ))}
      {faults.length === 0 && text === '' && (
        <p className={css.hint}>
          For example <code>{schema.ui?.placeholder ?? 'state.temperature > 30'}</code>. Type{' '}
          <kbd>state.</kbd> to see what the devices report.
        </p>
      )}
    </div>
  );
}

const noMarks: readonly CodeMark[] = [];

/** The position of a fault by line and column; empty if it is about the whole text. */
function markOf(text: string, { message, from, to }: ConfigFault): CodeMark[] {
  if (from === undefined || text === '') return [];
  const before = text.slice(0, from).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return [{ line: before.length, column, length: Math.max(1, (to ?? from + 1) - from), message }];
}
