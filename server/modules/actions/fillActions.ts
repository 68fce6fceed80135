import { inert } from '#server/mail/sending/names.ts';
import type { Evaluated } from '#server/modules/expressions/given.ts';
import { fillJson, textsIn } from '#server/modules/expressions/jsonTemplates.ts';
import {
  inWords,
  readTemplate,
  renderTemplate,
  TemplateFault,
} from '#server/modules/expressions/textTemplates.ts';
import type { Action, ActionOf, mailRecipients } from './actions.ts';

/** An action with its expressions replaced. */
export type Filled = Action;

/** Length limit for a value in an e-mail; whole texts have their own limit. */
const mailedMax = 1000;

/** True for an alert that is resolved when the condition no longer holds. */
export const endsWithCondition = (action: Action): action is ActionOf<'alert'> =>
  action.kind === 'alert' && action.resolves;

/** The texts of an action that may contain expressions, with their JSON pointers within the action. */
export function templatesOf(action: Action): { pointer: string; text: string }[] {
  switch (action.kind) {
    case 'command':
      return textsIn(action.args, ['args']);
    case 'desired':
      return textsIn(action.patch, ['patch']);
    case 'alert':
      return [
        { pointer: '/text', text: action.text },
        { pointer: '/key', text: action.key },
      ];
    case 'email':
      return [
        { pointer: '/subject', text: action.subject },
        { pointer: '/text', text: action.text },
      ];
    case 'webhook':
      return [];
  }
}

export function expressionsOf(action: Action): string[] {
  return templatesOf(action).flatMap(({ text }) => {
    const template = readTemplate(text);
    return 'fault' in template ? [] : template.places.map(({ source }) => source);
  });
}

export function fill(action: Action, evaluate: (source: string) => Evaluated): Filled {
  const textWith = (text: string, write = evaluate) => {
    const template = readTemplate(text);
    if ('fault' in template) throw new TemplateFault(template.fault);
    return renderTemplate(
      template,
      template.places.map(({ source }) => write(source)),
    );
  };
  const mailed = (text: string) => textWith(text, source => inertValue(evaluate(source)));
  switch (action.kind) {
    case 'command':
      return { ...action, args: fillJson(action.args, evaluate) as ActionOf<'command'>['args'] };
    case 'desired':
      return { ...action, patch: fillJson(action.patch, evaluate) as ActionOf<'desired'>['patch'] };
    case 'alert':
      return { ...action, text: textWith(action.text), key: textWith(action.key).slice(0, 100) };
    case 'email':
      return { ...action, subject: mailed(action.subject), text: mailed(action.text) };
    case 'webhook':
      return action;
  }
}

/** Values from a device must not turn into links or paragraphs of an e-mail that quotes them. */
function inertValue(evaluated: Evaluated): Evaluated {
  if (!('value' in evaluated) || evaluated.value === null || typeof evaluated.value === 'number')
    return evaluated;
  return { value: inert(inWords(evaluated.value), mailedMax) };
}

export function nameOf(action: Action): string {
  switch (action.kind) {
    case 'command':
      return `Command ${action.name}`;
    case 'desired':
      return 'Desired state';
    case 'alert':
      return `Alert (${action.severity})`;
    case 'email':
      return 'E-mail';
    case 'webhook':
      return 'Webhook';
  }
}

const recipientWords: Record<(typeof mailRecipients)[number], string> = {
  team: 'the owners and developers of the project',
  addresses: '',
  owner: 'the owner of the home',
  admins: 'the owner and admins of the home',
  members: 'the members of the home',
};

/** Describes in a few words what an action with its expressions replaced would do. */
export function wouldDo(action: Filled): string {
  switch (action.kind) {
    case 'command':
      return `Would send ${action.name} ${JSON.stringify(action.args)}`;
    case 'desired':
      return `Would set ${JSON.stringify(action.patch)}`;
    case 'alert':
      return `Would raise “${action.text}”`;
    case 'email': {
      const to = action.to === 'addresses' ? action.addresses.join(', ') : recipientWords[action.to];
      return `Would e-mail “${action.subject}” to ${to}`;
    }
    case 'webhook':
      return `Would call ${action.url}`;
  }
}
