import { type ReactNode, useState } from 'react';
import { ConfigContext } from '#console/modules/config/ConfigContext.ts';
import type { ModuleForm } from '#console/modules/form/ModuleForm.ts';
import type { ModuleConfigForm } from '#console/modules/form/useConfigForm.ts';
import { ActionCards, ConditionFields, PaceFields } from '#console/modules/rules/RulePanels.tsx';
import { Button } from '#console/ui/Button.tsx';
import fold from '#console/ui/screen/Disclosure.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { RuleReplay } from '#contract/ruleReplay.ts';
import { ActionPanel } from './ActionPanel.tsx';
import { ChoicePanel } from './ChoicePanel.tsx';
import { choicesOf } from './choicesOf.ts';
import css from './ruleEditor.module.css';
import { Pace, SentenceFields } from './SentenceFields.tsx';
import { useChoosing } from './useChoosing.ts';
import type { RuleSentence, useRuleSentence } from './useRuleSentence.ts';
import { Verdict } from './Verdict.tsx';

export interface RuleEditorProps {
  projectId: string;
  form: ModuleForm;
  config: ModuleConfigForm;
  said: ReturnType<typeof useRuleSentence>;
  /** What it would have done, once that is known for what is written. */
  replay: RuleReplay | undefined;
  /** In the head, before the switch. */
  action?: ReactNode;
  /** Rarely needed settings. */
  more: ReactNode;
}

/** A rule as a sentence or as code: both are the same rule, and a change of one is a change of the other. */
export function RuleEditor({ projectId, form, config, said, replay, action, more }: RuleEditorProps) {
  const [asCode, setAsCode] = useState(false);
  const { rule, reason } = said;
  return (
    <ConfigContext value={config.config}>
      <Panel
        title="Rule"
        note={rule && !asCode ? 'complete the sentence' : 'CEL, over the event and the device’s state'}
        flush
        action={
          <>
            {action}
            {/* Code that no sentence can say has no other view. */}
            {rule ? (
              <Segments
                label="View of the rule"
                options={views}
                chosen={asCode ? 'code' : 'sentence'}
                onChange={view => setAsCode(view === 'code')}
              />
            ) : (
              <span className={css.viewOff} role="status">
                Only code: {reason}
              </span>
            )}
          </>
        }
      >
        {rule && !asCode ? (
          <SentenceView rule={rule} config={config} more={more} />
        ) : (
          <div className={css.code}>
            <ConditionFields projectId={projectId} form={form} config={config} />
            <ActionCards config={config} />
            <More>
              <PaceFields config={config} />
              {more}
            </More>
          </div>
        )}
        <Verdict {...{ config, rule, replay }} asCode={asCode || !rule} />
      </Panel>
    </ConfigContext>
  );
}

const views = [
  { value: 'sentence', label: 'Sentence' },
  { value: 'code', label: 'Code' },
] as const;

type SentenceViewProps = Pick<RuleEditorProps, 'config' | 'more'> & { rule: RuleSentence };

/** The sentence, and at its right the choices of the field in focus. */
function SentenceView({ rule, config, more }: SentenceViewProps) {
  const choosing = useChoosing(slot => choicesOf(slot, rule));
  const [isMore, setMore] = useState(false);
  const { root, slot } = choosing;
  const action = /^action(\d+)$/.exec(slot)?.[1];
  const schema = config.schema.properties?.actions;
  const focus = (id: string) => root.current?.querySelector<HTMLElement>(`[data-slot="${id}"]`)?.focus();
  return (
    <>
      <div ref={root} data-sentence className={css.sides}>
        <div className={css.left}>
          <SentenceFields rule={rule} choosing={choosing} />
          <Pace rule={rule} choosing={choosing}>
            <Button variant="quiet" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
              More
            </Button>
          </Pace>
        </div>
        <div className={css.right}>
          {action !== undefined && schema ? (
            <ActionPanel
              key={action}
              rule={rule}
              at={Number(action)}
              schema={schema}
              id={choosing.listId}
              onDone={removed => focus(removed ? 'addAction' : slot)}
            />
          ) : (
            <ChoicePanel choosing={choosing} />
          )}
        </div>
      </div>
      {isMore && <div className={css.more}>{more}</div>}
    </>
  );
}

const More = ({ children }: { children: ReactNode }) => (
  <details>
    <summary className={fold.disclosure}>More settings</summary>
    <div className={css.more}>{children}</div>
  </details>
);
