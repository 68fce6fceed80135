import { useId, useState } from 'react';
import { actionWords } from '#console/modules/ruleEditor/actionWords.ts';
import type { useRuleSentence } from '#console/modules/ruleEditor/useRuleSentence.ts';
import { sentenceText } from '#console/modules/sentence/words.ts';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { RuleReplay } from '#contract/ruleReplay.ts';
import { descriptionMax } from '#contract/shapes.ts';
import { idMax } from '#rules/chosenId.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './newRule.module.css';
import { ruleIdOf } from './ruleId.ts';
import type { NewModule } from './useNewModule.ts';

interface NameRuleProps {
  form: NewModule['form'];
  said: ReturnType<typeof useRuleSentence>;
  replay: RuleReplay | undefined;
  /** A suggestion. */
  name: string;
  onClose: () => void;
}

/** The last step: the name, from which the id is made, and whether the rule starts at once. */
export function NameRule({ form, said: { rule, names }, replay, name: suggested, onClose }: NameRuleProps) {
  const { values, set } = form;
  const [name, setName] = useState(suggested);
  const [isOwnId, setOwnId] = useState(false);
  const actions = rule?.actions.map(action => actionWords(action, names)) ?? [];
  const { error: idError } = form.field('id');
  function rename(next: string) {
    setName(next);
    if (!isOwnId) set('id', ruleIdOf(next));
    if (values.description === '' || values.description === name.trim()) set('description', next.trim());
  }
  return (
    <Dialog title="Name the rule" onClose={onClose}>
      <form onSubmit={form.onSubmit} noValidate>
        <DialogBody>
          <FormError error={form.error} />
          <TextField
            label="Name"
            dir="auto"
            autoComplete="off"
            maxLength={descriptionMax}
            placeholder="Warn of frost"
            value={name}
            onChange={rename}
            {...(!isOwnId && { error: idError })}
            keepsHint
            hint={!isOwnId && <IdHint id={values.id} onChoose={() => setOwnId(true)} />}
          />
          {isOwnId && (
            <TextField
              label="Module id"
              mono
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={idMax}
              hint="Letters and digits, with - or _ in between. It cannot change later."
              {...form.field('id')}
            />
          )}
          {rule && (
            <p className={css.said}>{sentenceText(rule.sentence, { names, forS: rule.forS, actions })}</p>
          )}
          <TurnOn isOn={!values.suspended} replay={replay} onChange={on => set('suspended', !on)} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary" busy={form.saving}>
            {values.suspended ? 'Create as draft' : 'Create and turn on'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function IdHint({ id, onChoose }: { id: string; onChoose: () => void }) {
  return (
    <>
      {id ? (
        <>
          Its id becomes <code>{id}</code> and cannot change later.
        </>
      ) : (
        'Its id is made from the name and cannot change later.'
      )}{' '}
      <button type="button" className={css.link} onClick={onChoose}>
        Choose another id
      </button>
    </>
  );
}

interface TurnOnProps {
  isOn: boolean;
  replay: RuleReplay | undefined;
  onChange: (isOn: boolean) => void;
}

function TurnOn({ isOn, replay, onChange }: TurnOnProps) {
  const id = useId();
  const count = replay && replay.hits.new + replay.hits.same - replay.held;
  const times = count === 1 ? 'once' : `${numberText(count ?? 0)} times`;
  return (
    <div className={css.on}>
      <Toggle label="Turn on at once" on={isOn} onChange={onChange} words={null} />
      <span id={id}>Turn on at once</span>
      <p>
        {count !== undefined && `It would have acted ${times} in the last 24 h. `}
        Off keeps it as a draft for the team.
      </p>
    </div>
  );
}
