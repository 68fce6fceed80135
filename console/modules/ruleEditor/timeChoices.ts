import { shortDuration } from '#console/modules/sentence/words.ts';
import { dayS, hourS } from '#rules/time/durations.ts';
import type { Choice, Choices } from './Choice.ts';
import type { RuleSentence } from './useRuleSentence.ts';

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: hourS, d: dayS };

/** "20 min" in seconds; a bare number counts minutes. */
function secondsOf(text: string): number | undefined {
  const [, number, word = 'm'] =
    /^(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)?$/i.exec(text) ?? [];
  const seconds = Number(number) * (units[word.charAt(0).toLowerCase()] ?? 60);
  return number !== undefined && seconds <= dayS ? seconds : undefined;
}

function durations(
  given: { prompt: string; zero: string; least: number },
  take: (seconds: number) => void,
): Choices {
  const choice = (seconds: number): Choice => ({
    id: String(seconds),
    label: seconds === given.least ? given.zero : shortDuration(seconds),
    group: 'Time',
    take: () => take(seconds),
  });
  return {
    prompt: given.prompt,
    list: [given.least, 60, 300, 900, 1800, hourS, 6 * hourS, dayS].map(choice),
    typed(text) {
      const seconds = secondsOf(text);
      return seconds === undefined ? undefined : choice(Math.max(given.least, seconds));
    },
  };
}

/** How long it must stay true. */
export const forChoices = ({ setConfig }: RuleSentence): Choices =>
  durations({ prompt: 'For how long? Such as 20 min', zero: 'at once', least: 0 }, seconds =>
    setConfig('forS', seconds),
  );

/** How soon it may act again. */
export const everyChoices = ({ setConfig }: RuleSentence): Choices =>
  durations({ prompt: 'Again after? Such as 20 min', zero: '1 s', least: 1 }, seconds =>
    setConfig('everyS', seconds),
  );

export const actsWords = {
  change: 'once when this becomes true',
  each: 'each time this is true',
} as const;

export const actsChoices = ({ setConfig }: RuleSentence): Choices => ({
  prompt: 'How often?',
  list: (['change', 'each'] as const).map(acts => ({
    id: acts,
    label: actsWords[acts],
    note: acts === 'change' ? 'again only after it was false' : 'with every event that fits',
    group: 'It acts',
    take: () => setConfig('acts', acts),
  })),
});
