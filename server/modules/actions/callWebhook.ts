import type { Platform } from '#server/infra/platform.ts';
import { deliver } from '#server/modules/webhooks/deliver.ts';
import { signedHeaders } from '#server/modules/webhooks/signature.ts';
import type { Acting } from './act.ts';
import type { ActionOf } from './actions.ts';

/**
 * Sends a POST request according to Standard Webhooks. The id stays the same if the run is repeated, so that receivers
 * can deduplicate.
 */
export async function callWebhook(
  { url }: ActionOf<'webhook'>,
  number: number,
  { module, runId, event, device, given, now, signingSecret, signal }: Acting,
  { outside }: Platform,
): Promise<string> {
  const { id, tag, name, deviceClass, homeId } = device;
  const body = JSON.stringify({
    type: event?.name ?? 'rule',
    timestamp: event?.ts ?? now.toISOString(),
    data: {
      module: module.id,
      device: { id, tag, name, deviceClass },
      ...(homeId !== undefined && { home: { id: homeId } }),
      ...(event && { event: { id: event.id, name: event.name, ts: event.ts }, payload: event.payload }),
      state: given.state,
    },
  });
  const signed = signedHeaders(
    { id: `${runId}-${number}`, at: now, body },
    signingSecret === undefined ? [] : [signingSecret],
  );
  const { 'webhook-signature': signature, ...others } = signed;
  const headers = { 'content-type': 'application/json', ...others };
  const { isOk, summary } = await deliver(outside, {
    url,
    body,
    signal,
    headers: signature === '' ? headers : { ...headers, 'webhook-signature': signature },
  });
  if (!isOk) throw new WebhookRefused(summary);
  return summary;
}

/** A retry may succeed. */
export class WebhookRefused extends Error {}
