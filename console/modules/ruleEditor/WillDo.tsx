import { isObject } from '#console/modules/config/configSchema.ts';
import { BellIcon, BoltIcon, CodeIcon, EditIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { RuleReplay } from '#contract/ruleReplay.ts';
import { actionWords } from './actionWords.ts';
import css from './ruleEditor.module.css';
import type { RuleSentence } from './useRuleSentence.ts';

const icons: Readonly<Record<string, typeof BoltIcon>> = {
  command: BoltIcon,
  desired: EditIcon,
  alert: BellIcon,
  email: BellIcon,
  webhook: CodeIcon,
};

/** What the actions would do for the device of the latest hit, with its values filled in. */
export function WillDo({ rule, replay }: { rule: RuleSentence; replay: RuleReplay | undefined }) {
  const { actions, unfit, names } = rule;
  if (actions.length === 0) return null;
  const latest = replay?.rows.find(({ kind }) => kind !== 'gone');
  // The replay leaves out what is not complete.
  const complete = actions.flatMap((_, at) => (unfit.has(at) ? [] : [at]));
  const filled = (at: number) => (unfit.has(at) ? undefined : latest?.would[complete.indexOf(at)]);
  const who = latest && (latest.device.name || latest.device.tag || latest.device.id);
  return (
    <Panel
      title="What it will do"
      note={who && <span dir="auto">{`as it would have read for ${who}`}</span>}
      flush
    >
      <ol className={css.willDo}>
        {actions.map((action, at) => {
          const kind = isObject(action) ? String(action.kind) : '';
          const Icon = icons[kind] ?? BoltIcon;
          const words = actionWords(action, names);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: actions are identified by position
            <li key={at}>
              <Icon size={16} />
              <div>
                <b>{words.charAt(0).toUpperCase() + words.slice(1)}</b>
                <p dir="auto">
                  {unfit.has(at) ? 'Not complete yet.' : (filled(at)?.summary ?? aboutAction(action, kind))}
                </p>
                {kind === 'alert' && isObject(action) && action.resolves !== false && (
                  <p>resolves itself when the condition is no longer true</p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

/** Before there was a hit, the texts as they are written. */
function aboutAction(action: unknown, kind: string): string {
  if (!isObject(action)) return '';
  if (kind === 'command') return JSON.stringify(action.args ?? {});
  if (kind === 'desired') return JSON.stringify(action.patch ?? {});
  return String(action.text ?? action.url ?? '');
}
