import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { examples } from '#console/modules/examples.ts';
import { DescriptionField, SubscriptionPanels } from '#console/modules/form/FormPanels.tsx';
import { RuleEditor } from '#console/modules/ruleEditor/RuleEditor.tsx';
import { missingPart, useRuleSentence } from '#console/modules/ruleEditor/useRuleSentence.ts';
import { WillDo } from '#console/modules/ruleEditor/WillDo.tsx';
import { ReplayPanel, useRuleReplay } from '#console/modules/ruleReplay/ReplayPanel.tsx';
import { MoreLimits } from '#console/modules/rules/RulePanels.tsx';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NameRule } from './NameRule.tsx';
import css from './newRule.module.css';
import type { NewModuleProps } from './useNewModule.ts';
import { useRuleDraft } from './useRuleDraft.ts';

/** A new rule: its sentence or code, what it will do, and what it would have done. It gets its name last. */
export function NewRule(props: NewModuleProps) {
  const { projectId, type } = props;
  const navigate = useNavigate();
  const draft = useRuleDraft(props);
  const { form, config } = draft;
  const said = useRuleSentence(projectId, form, config);
  const replay = useRuleReplay({ projectId, values: form.values, config });
  const { current } = replay.replaying;
  const [naming, setNaming] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const missing = missingOf(said.rule, config);
  function create() {
    if (!missing) return setNaming(true);
    const slot = screen.current?.querySelector<HTMLElement>(`[data-slot="${missing.slot}"]`);
    slot?.focus();
  }
  const toList = { to: '/projects/$projectId/smart_modules', params: { projectId } } as const;
  return (
    <div ref={screen}>
      <Screen
        title="New rule"
        beside={<DraftState draft={draft} />}
        actions={
          <>
            <span className={css.missing} role="status">
              {missing?.says ?? 'You name it in the next step'}
            </span>
            <Button onClick={() => void navigate(toList)}>Cancel</Button>
            <Button variant="primary" onClick={create} disabled={config.isBroken}>
              Create rule
            </Button>
          </>
        }
      >
        {!naming && <FormError error={form.error} />}
        <RuleEditor
          {...{ projectId, form, config, said }}
          replay={current}
          action={<ExampleMenu onChoose={draft.startFrom} />}
          more={
            <>
              <MoreLimits config={config} />
              <SubscriptionPanels projectId={projectId} type={{ ...type, takesEvents: false }} form={form} />
              <DescriptionField form={form} />
            </>
          }
        />
        {said.rule && <WillDo rule={said.rule} replay={current} />}
        <ReplayPanel {...replay} />
      </Screen>
      {naming && (
        <NameRule {...{ form, said }} replay={current} name={draft.name} onClose={() => setNaming(false)} />
      )}
    </div>
  );
}

/** What a rule lacks; for code, what the server says. */
function missingOf(
  rule: ReturnType<typeof useRuleSentence>['rule'],
  { faults, check }: ReturnType<typeof useRuleDraft>['config'],
) {
  const part = rule && missingPart(rule);
  if (part) return part;
  const [fault] = faults;
  if (fault?.pointer === '/condition') return { slot: 'left0', says: 'Correct the condition' };
  if (fault) return { slot: 'action0', says: fault.message };
  return check.isCurrent ? undefined : { slot: '', says: 'Checking the rule' };
}

function DraftState({ draft }: { draft: ReturnType<typeof useRuleDraft> }) {
  if (!draft.isBegun) return null;
  return (
    <>
      <span className={css.draft}>Draft, kept in this browser</span>
      <Button variant="quiet" onClick={draft.startOver}>
        Start over
      </Button>
    </>
  );
}

function ExampleMenu({ onChoose }: { onChoose: (id: string) => void }) {
  return (
    <Menu
      label="Start from an example"
      trigger={<span aria-hidden="true">Start from an example</span>}
      triggerClass={buttonClass('quiet')}
      items={examples
        .filter(({ moduleType }) => moduleType === 'rule')
        .map(({ id, title }) => ({ label: title, run: () => onChoose(id) }))}
    />
  );
}
