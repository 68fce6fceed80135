import { capabilityWords } from '#console/apps/keys/capabilityWords.ts';
import { timeFormat } from '#console/ui/time/dateTexts.ts';
import type { Capability } from '#contract/endpoint.ts';
import type { KeyUse } from '#contract/key.ts';
import { listText } from '#rules/text/listText.ts';
import { numberText } from '#rules/text/numberText.ts';

type Use = KeyUse['capabilities'][number];

/** The capabilities that a key does not seem to need. */
export const advised = ({ capabilities }: KeyUse): Use[] =>
  capabilities.filter(({ advice }) => advice !== undefined);

/** "In 30 days it never updated key-value stores and acted as admin three times, all on 2 November." */
export function adviceSentence(uses: readonly Use[]): string {
  const unused = uses.filter(({ advice }) => advice === 'unused');
  const rare = uses.filter(({ advice }) => advice === 'rare');
  const never = unused.length > 0 ? [`never ${listText(unused.map(didOf), 'or')}`] : [];
  const seldom = rare.map(use => `${didOf(use)} ${timesText(use.calls)}${dayOf(use)}`);
  return `In 30 days it ${listText([...never, ...seldom])}.`;
}

/** The label of the button that turns all of them off. */
export function turnOffLabel(capabilities: readonly Capability[]): string {
  if (capabilities.length === 2) return 'Turn off both';
  return capabilities.length === 1 ? 'Turn it off' : `Turn off all ${numberWords[capabilities.length]}`;
}

/** "Three calls on one day. Use a separate key." */
export function adviceText({ advice, calls }: Use): string | undefined {
  if (advice === 'unused') return 'Never used. Turn it off.';
  if (advice !== 'rare') return undefined;
  const word = numberWords[calls] ?? numberText(calls);
  const count = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return `${count} ${calls === 1 ? 'call' : 'calls'} on one day. Use a separate key.`;
}

const didOf = ({ capability }: Use) => capabilityWords[capability].did;

const numberWords = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function timesText(count: number): string {
  if (count === 1) return 'once';
  if (count === 2) return 'twice';
  return `${numberWords[count] ?? numberText(count)} times`;
}

const dayText = timeFormat('D MMMM', 'UTC');

function dayOf({ days, calls }: Use): string {
  const used = days.filter(day => day.calls > 0);
  if (used.length !== 1 || !used[0]) return '';
  const on = dayText(used[0].day);
  if (calls === 1) return `, on ${on}`;
  return `, ${calls === 2 ? 'both' : 'all'} on ${on}`;
}
