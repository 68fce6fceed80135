import { rotateWebhookSecret } from '#contract/moduleWebhook.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { lockModule, openModule, secretsOf, updateModule } from '#server/modules/smartModules/store.ts';
import { previousUntil, storePrevious } from './previousSecret.ts';
import { newSigningSecret } from './signature.ts';
import type { WebhookConfig } from './webhookConfig.ts';

/** The signing secrets of webhooks. */
export const moduleWebhooks: Slice = {
  tables: {
    webhook_secrets: 'The signing secret of a webhook, and the one before while it still signs.',
  },
  routes: [on(rotateWebhookSecret, rotate)],
};

async function rotate({ db, platform, params, now }: Call<typeof rotateWebhookSecret>) {
  const row = await lockModule(db, params.projectId, params.moduleId);
  if (!row) throw new Problem('SMART_MODULE_NOT_FOUND');
  if (row.moduleType !== 'webhook') throw new Problem('NOT_A_WEBHOOK');
  const secret = newSigningSecret();
  const secrets = { ...secretsOf(platform, row), '/secret': secret };
  await updateModule(db, row, {
    sealedSecrets: platform.sealing.seal(JSON.stringify(secrets)),
    changedAt: now,
  });
  const module = openModule(platform, row) as OpenModule<WebhookConfig>;
  await storePrevious(db, { ...module, config: { ...module.config, secret } }, platform);
  const until = await previousUntil(db, module, now);
  return { secret, ...(until && { previousUntil: until.toISOString() }) };
}
