import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { beginPatterns } from '#server/classes/deviceClasses/schemas/schemaPatterns.ts';
import { failureInWords } from './failureWords.ts';
import type { Evaluated, Given, Job } from './given.ts';
import { jsonValueOf } from './jsonValue.ts';
import { createLanguage, NotThere } from './language.ts';
import { Meter } from './meter.ts';
import { parseMetered } from './metered.ts';

const programsMax = 1000;
const missingCodes = new Set(['no_such_key', 'index_out_of_bounds', 'unknown_variable']);

/** Evaluates expressions that passed the check, each within a budget. Untyped, because a device can send anything. */
export function createEvaluation(meter = new Meter()): (job: Job) => Evaluated {
  let figures: Given['figures'] = {};
  const language = createLanguage(key => figures[key]);
  for (const name of ['state', 'event', 'device', 'data']) language.registerVariable(name, 'map');
  const programs = new Map<string, ParseResult>();
  const variables = new WeakMap<Given, Record<string, unknown>>();
  return ({ program, given, isCondition = false }) => {
    try {
      meter.begin();
      const parsed = programs.get(program) ?? parse(language, programs, { program, meter });
      const seen = variables.get(given) ?? variablesOf(language, given);
      variables.set(given, seen);
      figures = given.figures;
      beginPatterns();
      const made = parsed(seen);
      const value = isCondition ? truthOf(made) : jsonValueOf(made);
      // What `||` or a loop made of an evaluation that was stopped means nothing.
      meter.throwIfSpent();
      return { value };
    } catch (error) {
      return failure(error, program);
    }
  };
}

const truthOf = (value: unknown) => (typeof value === 'boolean' ? value : null);

function parse(
  language: Environment,
  programs: Map<string, ParseResult>,
  { program, meter }: { program: string; meter: Meter },
): ParseResult {
  const parsed = parseMetered(language, program, meter);
  programs.set(program, parsed);
  if (programs.size > programsMax) programs.delete(programs.keys().next().value ?? '');
  return parsed;
}

function failure(error: unknown, program: string): Evaluated {
  if (error instanceof NotThere) return { missing: error.message };
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  if (cause instanceof NotThere) return { missing: cause.message };
  const message = failureInWords(error, program);
  return missingCodes.has(code) ? { missing: message } : { error: message };
}

function variablesOf(language: Environment, { event, device, state, data }: Given): Record<string, unknown> {
  return {
    state,
    data,
    event: event && { ...event, ts: new Date(event.ts) },
    device: device && {
      ...device,
      connectedFor: language.evaluate(`duration("${Math.max(0, Math.floor(device.connectedFor))}ms")`),
    },
  };
}
