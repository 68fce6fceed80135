import { pluralOf } from '#rules/text/nounText.ts';
import { numberText } from '#rules/text/numberText.ts';

/** "33 devices"; without a noun, the number alone. */
export const countText = (count: number, noun?: string): string =>
  [numberText(count), noun && (count === 1 ? noun : pluralOf(noun))].filter(Boolean).join(' ');
