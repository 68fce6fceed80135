import { z } from 'zod';
import { jsonObject } from './shapes.ts';

export const moduleTypeIds = ['webhook', 'rule', 'schedule', 'fetch', 'table', 'notify'] as const;
export type ModuleTypeId = (typeof moduleTypeIds)[number];

/**
 * A JSON Schema with hints for a form: at any property `title`, `description` and `ui` (see `ConfigUi`).
 */
export const ConfigDoc = z.object({ moduleType: z.enum(moduleTypeIds), schema: jsonObject });
export type ConfigDoc = z.output<typeof ConfigDoc>;

/** How a form shows a property; by default, this depends on its type. */
export const configControls = [
  'text',
  'lines',
  'url',
  'secret',
  'json',
  'email',
  'emails',
  'duration',
  'cron',
  'timeZone',
  'condition',
  'template',
  'deviceClass',
  'device',
  'eventName',
  'commandName',
  'choice',
  'hidden',
] as const;
export interface ConfigUi {
  control?: (typeof configControls)[number];
  placeholder?: string;
  unit?: string;
  /** True: initially collapsed. */
  advanced?: true;
  /** For choices and the variants of a union: the label of each value. */
  labels?: Readonly<Record<string, string>>;
  /** Shown only while another property of the same object has one of these values. */
  when?: { property: string; is: readonly (string | boolean)[] };
}

export const ModuleConfigDoc = ConfigDoc.extend({
  /** The configuration of the module, without its secrets. */
  values: jsonObject,
  /** The secrets that are set, by JSON pointer, each with its last characters: `…4fQ`. */
  secrets: z.record(z.string(), z.string()),
});
export type ModuleConfigDoc = z.output<typeof ModuleConfigDoc>;

/** What is wrong with a configuration, and where. */
export const ConfigFault = z.object({
  /** JSON pointer to the field. */
  pointer: z.string(),
  message: z.string(),
  /** In a condition: the range of characters that is wrong. */
  from: z.number().int().optional(),
  to: z.number().int().optional(),
});
export type ConfigFault = z.output<typeof ConfigFault>;

/** The context of `INVALID_MODULE_CONFIG`. */
export const ConfigFaults = z.object({ faults: z.array(ConfigFault) });
