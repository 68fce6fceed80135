import { pointerOf } from '#server/modules/smartModules/secretPointers.ts';
import type { Evaluated } from './given.ts';
import { readTemplate, renderTemplate, type Template, TemplateFault } from './textTemplates.ts';

type Path = readonly string[];

/** What the values of a filled template can have together: the same large value can occur in it thousands of times. */
const filledBytesMax = 128 * 1024;

/** The texts with expressions in a JSON value, by JSON pointer. */
export function textsIn(value: unknown, path: Path = []): { pointer: string; text: string }[] {
  if (typeof value === 'string')
    return value.includes('{{') ? [{ pointer: pointerOf(path), text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

/**
 * Replaces the expressions in a JSON value. A text that consists of a single expression becomes its value, which may be
 * a number or an object; in a longer text, the value becomes part of the text.
 */
export function fillJson(template: unknown, evaluate: (source: string) => Evaluated): unknown {
  let left = filledBytesMax;
  const take = (value: unknown) => {
    left -= (JSON.stringify(value) ?? '').length;
    if (left < 0)
      throw new TemplateFault(`With its values it would be larger than ${filledBytesMax / 1024} KiB`);
    return value;
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes('{{') ? take(fillText(value, evaluate)) : value;
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  };
  return filled(template);
}

function fillText(text: string, evaluate: (source: string) => Evaluated): unknown {
  const template = readTemplate(text);
  if ('fault' in template) throw new TemplateFault(template.fault);
  const whole = wholeOf(template);
  if (whole === undefined)
    return renderTemplate(
      template,
      template.places.map(({ source }) => evaluate(source)),
    );
  const evaluated = evaluate(whole);
  if ('value' in evaluated) return evaluated.value;
  throw new TemplateFault('error' in evaluated ? evaluated.error : evaluated.missing);
}

const wholeOf = ({ texts, places }: Template) =>
  places.length === 1 && texts.every(text => text.trim() === '') ? places[0]?.source : undefined;
