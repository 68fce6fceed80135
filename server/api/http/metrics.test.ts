import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const token = 'a-token-for-metrics';
const at = aGatewayWorld({ METRICS_TOKEN: token });

/** Requests the metrics as another machine does, by the public host name. */
function scraped(authorization?: string): Promise<{ status: number; text: string }> {
  const headers = { host: 'mooring.example.com', ...(authorization && { authorization }) };
  return new Promise((resolve, reject) => {
    request(`${at.world.url}/metrics`, { headers }, response => {
      let text = '';
      response.on('data', part => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the metrics', () => {
  it('are served to another machine only with the token', async () => {
    expect((await scraped()).status).toBe(401);
    expect((await scraped('Bearer a-token-for-nothing')).status).toBe(401);
    expect(await scraped(`Bearer ${token}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('mooring_up_seconds'),
    });
  });

  it('cover connections, messages, refusals, batches, lag and the database', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/door', {});
    await here.say('events/a--b', {});
    await at.connect({ ...device, apiKey: 'wrong' }).catch(() => undefined);
    const { text } = await until(async () => {
      const found = await scraped(`Bearer ${token}`);
      return found.text.includes('mooring_gateway_refusals_total') ? found : undefined;
    });
    for (const line of [
      /^mooring_gateway_connections 1$/m,
      /^mooring_gateway_accepts_total\{protocol="mqtt"\} [1-9]/m,
      /^mooring_gateway_refusals_total\{reason="badCredentials"\} [1-9]/m,
      /^mooring_gateway_messages_total\{way="in"\} [1-9]/m,
      /^mooring_gateway_rejected_total\{reason="INVALID_NAME"\} [1-9]/m,
      /^mooring_gateway_message_seconds_bucket\{le="\+Inf"\} [1-9]/m,
      /^mooring_batch_seconds_count\{batch="event"\} [1-9]/m,
      /^mooring_event_loop_lag_seconds\{quantile="0.99"\} \d/m,
      /^mooring_database_seconds_sum \d/m,
    ])
      expect(text).toMatch(line);
  });
});
