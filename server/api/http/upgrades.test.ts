import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

/** A POST by a client that would also like another protocol; returns the status, and the version of HTTP. */
async function postOffering(upgrade: string, path: string, authorization: string): Promise<string> {
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade,
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    authorization,
    'content-type': 'application/json',
  };
  const request = http.request(`${at.world.url}${path}`, { method: 'POST', headers }).end('{"a":1}');
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  );
  await text(answer);
  return `HTTP/${answer.httpVersion} ${answer.statusCode}`;
}

it.each(['h2c', 'TLS/1.0', 'h2c, websocket', 'websocket'])(
  'a POST that offers an upgrade to %s is answered as if it did not',
  async upgrade => {
    const device = await at.device();
    const authorization = `Basic ${btoa(`${device.id}:${device.apiKey}`)}`;
    expect(await postOffering(upgrade, '/device/v1/events/door', authorization)).toBe('HTTP/1.1 204');
    expect(await at.eventsOf(device)).toMatchObject([{ name: 'door', payload: { a: 1 } }]);
  },
);
