import { pointerOf } from '#server/smartModules/secretPointers.ts';
import type { Evaluated } from './given.ts';
import { readTemplate, renderTemplate, type Template, TemplateFault } from './textTemplates.ts';

type Path = readonly string[];

/** The texts with expressions within JSON, by JSON pointer. */
export function textsIn(value: unknown, path: Path = []): { pointer: string; text: string }[] {
  if (typeof value === 'string')
    return value.includes('{{') ? [{ pointer: pointerOf(path), text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

/**
 * JSON with its expressions replaced. A text that is one expression and nothing else becomes its value, a number or an
 * object as it may be; in a longer text it becomes part of it.
 */
export function fillJson(value: unknown, evaluate: (source: string) => Evaluated): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillText(value, evaluate) : value;
  if (Array.isArray(value)) return value.map(inner => fillJson(inner, evaluate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fillJson(inner, evaluate)]));
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
