import { webhookAttemptsAfterS } from '#rules/modules/webhookRetries.ts';
import type { Platform } from '#server/infra/platform.ts';
import { checkAddress } from '#server/modules/smartModules/checkAddress.ts';
import { type ModuleType, moduleType, type Running } from '#server/modules/smartModules/moduleType.ts';
import { deliver } from './deliver.ts';
import { signingSecrets, storePrevious } from './previousSecret.ts';
import { newSigningSecret, signedHeaders } from './signature.ts';
import { webhookBody } from './webhookBody.ts';
import { type WebhookConfig, webhookConfig } from './webhookConfig.ts';

/** Sends each event to a URL of the developer. */
export const webhookType: ModuleType<WebhookConfig> = moduleType({
  id: 'webhook',
  name: 'Webhook',
  summary: 'Sends each event, signed, to your own address, and retries if that fails.',
  dataSourceModuleTypes: [],
  takesEvents: true,
  causesNothing: true,
  isDataSource: false,
  config: webhookConfig,
  attemptsAfterS: webhookAttemptsAfterS,
  fillIn: config => (config.secret ? config : { ...config, secret: newSigningSecret() }),
  // The signing secret may go to any URL, because a signature does not reveal it.
  secretsGoTo: ({ url }, pointer) =>
    pointer === '/authorization' && URL.canParse(url) ? new URL(url).origin : '',
  check: async ({ url }, { platform }) => ({ faults: await checkAddress(platform, url, '/url') }),
  changed: (db, module, platform) => storePrevious(db, module, platform),
  run: send,
  test: ({ runId, module, event, now }, platform) =>
    send(
      {
        runId,
        module,
        now,
        attempt: 1,
        isTest: true,
        causedBy: [],
        ...(event && { event: event.event, device: event.device }),
      },
      platform,
    ),
});

type Sending = Omit<Running<WebhookConfig>, 'signal'> & { signal?: AbortSignal };

async function send(run: Sending, platform: Platform) {
  const { runId, module, now, signal } = run;
  const { url, authorization } = module.config;
  const body = webhookBody(run, now);
  const secrets = await signingSecrets(platform, module, now);
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders({ id: runId, at: now, body }, secrets),
    ...(authorization !== undefined && { authorization }),
  };
  return deliver(platform.outside, { url, headers, body, signal });
}
