import type { ConfigFault } from '#contract/moduleConfig.ts';
import { Problem } from '#contract/problem.ts';
import { moduleConfigBytesMax } from '#contract/smartModule.ts';
import type { Checking, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import {
  configSchema,
  pointerOf,
  putSecrets,
  secretPaths,
  takeSecrets,
} from '#server/modules/smartModules/secretPointers.ts';
import { issueSentence } from './issueSentence.ts';

type Json = Record<string, unknown>;

export interface CheckedConfig {
  /** As stored, without its secrets. */
  config: Json;
  secrets: Record<string, string>;
  /** As used, with its secrets. */
  whole: object;
  notes: string[];
}

/** The stored configuration before an edit. */
export interface ConfigBefore {
  config: Json;
  secrets: Record<string, string>;
}

/** Checks a configuration and extracts its secrets. An absent secret keeps its value, and null removes it. */
export async function checkConfig(
  type: ModuleType,
  given: Json,
  { before, ...checking }: Checking & { before?: ConfigBefore | undefined },
): Promise<CheckedConfig> {
  if (Buffer.byteLength(JSON.stringify(given)) > moduleConfigBytesMax)
    throw new Problem('TOO_LARGE', {
      message: 'The configuration can have at most 64 KiB.',
      fields: { configData: 'TOO_LARGE' },
    });
  const paths = secretPaths(configSchema(type.config));
  const { open, secrets: said, removed } = takeSecrets(given, paths);
  const kept = before ? keptSecrets(type, open, without(before, removed), said) : {};
  const secrets = { ...kept, ...Object.fromEntries(said) };
  const parsed = type.config.safeParse(putSecrets(open, secrets), { error: issueSentence });
  if (!parsed.success) {
    const missing = parsed.error.issues.map(({ path, message }) => ({ pointer: pointerOf(path), message }));
    refuse([...missing, ...((await type.checkParts?.(open, checking)) ?? [])]);
  }
  const { faults, notes = [] } = (await type.check?.(parsed.data, checking)) ?? { faults: [] };
  if (faults.length > 0) refuse(faults);
  const taken = takeSecrets(parsed.data as Json, paths);
  return { config: taken.open, secrets: Object.fromEntries(taken.secrets), whole: parsed.data, notes };
}

function without({ config, secrets }: ConfigBefore, removed: ReadonlySet<string>): ConfigBefore {
  const left = Object.entries(secrets).filter(([pointer]) => !removed.has(pointer));
  return { config, secrets: Object.fromEntries(left) };
}

/** Otherwise anyone who may not read a secret could have it sent to an address of their own. */
function keptSecrets(
  type: ModuleType,
  given: Json,
  { config, secrets }: ConfigBefore,
  said: ReadonlyMap<string, string>,
): Record<string, string> {
  const { secretsGoTo } = type;
  if (!secretsGoTo) return secrets;
  const was = type.config.safeParse(putSecrets(config, secrets));
  const is = type.config.safeParse(putSecrets(given, { ...secrets, ...Object.fromEntries(said) }));
  // The caller refuses the configuration next.
  if (!is.success) return secrets;
  const goesElsewhere = (pointer: string) =>
    !was.success || secretsGoTo(was.data, pointer) !== secretsGoTo(is.data, pointer);
  const missing = Object.keys(secrets).filter(pointer => !said.has(pointer) && goesElsewhere(pointer));
  if (missing.length > 0)
    refuse(
      missing.map(pointer => ({
        pointer,
        message: 'Enter it again: it would now go to a different address.',
      })),
    );
  return secrets;
}

function refuse(faults: readonly ConfigFault[]): never {
  throw new Problem('INVALID_MODULE_CONFIG', {
    context: { faults },
    ...(faults[0] && { message: faults[0].message }),
  });
}
