import type { ModuleConfigDoc, ModuleTypeId } from '#contract/moduleConfig.ts';
import type { Platform } from '#server/infra/platform.ts';
import { configSchema } from '#server/modules/smartModules/secretPointers.ts';
import { type StoredModule, secretsOf } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';

export const configDocOf = (moduleType: ModuleTypeId) => ({
  moduleType,
  schema: configSchema(typeOf(moduleType).config),
});

const shownEnd = 3;
/** For a shorter secret, its last characters are not shown, because they would reveal much of it. */
const longEnough = 12;

export function moduleDocOf(platform: Platform, row: StoredModule): ModuleConfigDoc {
  const secrets = Object.entries(secretsOf(platform, row)).map(([pointer, secret]): [string, string] => [
    pointer,
    secret.length < longEnough ? '…' : `…${secret.slice(-shownEnd)}`,
  ]);
  return { ...configDocOf(row.moduleType), values: row.configData, secrets: Object.fromEntries(secrets) };
}
