import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { beginPatterns } from '#server/deviceClasses/schemaPatterns.ts';
import { faultInWords } from './faultWords.ts';
import type { Evaluated, Given, Job } from './given.ts';
import { createLanguage, NotThere } from './language.ts';

const programsMax = 1000;
const missingCodes = new Set(['no_such_key', 'index_out_of_bounds', 'unknown_variable']);
const valueBytesMax = 64 * 1024;

/** Evaluates expressions that passed the check. Untyped, because a device can send anything. */
export function createEvaluation(): (job: Job) => Evaluated {
  let figures: Given['figures'] = {};
  const language = createLanguage(key => figures[key]);
  for (const name of ['state', 'event', 'device', 'data']) language.registerVariable(name, 'map');
  const programs = new Map<string, ParseResult>();
  const variables = new WeakMap<Given, Record<string, unknown>>();
  return ({ program, given }) => {
    try {
      const parsed = programs.get(program) ?? parse(language, programs, program);
      const seen = variables.get(given) ?? variablesOf(language, given);
      variables.set(given, seen);
      figures = given.figures;
      beginPatterns();
      return { value: toJson(parsed(seen)) };
    } catch (error) {
      return failure(error, program);
    }
  };
}

function parse(language: Environment, programs: Map<string, ParseResult>, program: string): ParseResult {
  const parsed = language.parse(program);
  programs.set(program, parsed);
  if (programs.size > programsMax) programs.delete(programs.keys().next().value ?? '');
  return parsed;
}

function failure(error: unknown, program: string): Evaluated {
  if (error instanceof NotThere) return { missing: error.message };
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  if (cause instanceof NotThere) return { missing: cause.message };
  const { message } = faultInWords(error, program);
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

/** Converts a value to JSON, which can be sent to another thread and stored. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('The number is not finite.');
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return bounded(value.map(toJson));
  if (value instanceof Map)
    return bounded(Object.fromEntries([...value].map(([k, v]) => [String(k), toJson(v)])));
  if ('seconds' in value && 'nanos' in value) return Number(value.seconds) + Number(value.nanos) / 1e9;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return bounded(Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toJson(v)])));
}

function bounded<T extends object>(value: T): T {
  if (JSON.stringify(value).length > valueBytesMax) throw new Error('The value is larger than 64 KiB.');
  return value;
}
