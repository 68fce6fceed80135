import { z } from 'zod';
import type { ConfigUi } from '#contract/moduleConfig.ts';
import { dayS } from '#rules/time/durations.ts';
import { Action, actionsMax } from '#server/modules/actions/actions.ts';
import { expressionMax } from '#server/modules/expressions/language.ts';

const ui = (hints: ConfigUi) => ({ ui: hints });

export const RuleConfig = z.strictObject({
  condition: z
    .string()
    .min(1, 'Write a condition.')
    .max(expressionMax)
    .meta({
      title: 'When',
      description: 'An expression that is true or false for each event.',
      ...ui({ control: 'condition', placeholder: 'state.temperature > 30' }),
    }),
  forS: z
    .int()
    .min(0)
    .max(dayS)
    .default(0)
    .meta({
      title: 'For at least',
      description: 'How long the condition must stay true before the rule acts. No further event is needed.',
      ...ui({ control: 'duration', unit: 's' }),
    }),
  actions: z.array(Action).min(1, 'Add an action.').max(actionsMax).meta({ title: 'Then' }),
  /**
   * By default once per change: a sensor above 30 reports every minute, and nobody who writes "when it is above 30"
   * wants sixty e-mails an hour, or the same command again and again.
   */
  acts: z
    .enum(['change', 'each'])
    .default('change')
    .meta({
      title: 'Acts',
      description:
        'A condition that checks no values, for example only the name of the event, cannot become true and stay true, so the rule acts on each event.',
      ...ui({
        control: 'choice',
        labels: {
          change: 'Once, when the condition becomes true',
          each: 'On each event for which it is true',
        },
      }),
    }),
  everyS: z
    .int()
    .min(1)
    .max(dayS)
    .default(1)
    .meta({
      title: 'At most once every',
      description: 'Per device. Further runs within this time are held back.',
      ...ui({ control: 'duration', unit: 's', advanced: true }),
    }),
  signingSecret: z
    .string()
    .max(200)
    .regex(/^(whsec_[A-Za-z0-9+/=]{32,})?$/, 'A signing secret begins with whsec_.')
    .optional()
    .meta({
      title: 'Signing secret',
      description: 'Lets the receiver of a webhook verify that the call comes from this rule.',
      ...ui({ control: 'secret', advanced: true }),
    }),
});
export type RuleConfig = z.output<typeof RuleConfig>;
