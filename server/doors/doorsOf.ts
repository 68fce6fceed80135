import type { Gateway } from '#contract/gateway.ts';
import type { Platform } from '#server/platform.ts';

/** Where devices come in, as they reach it from outside. */
export function doorsOf({ config, publicUrl, mqttUrl }: Platform): Gateway {
  const { protocol, host, hostname } = new URL(publicUrl());
  // Another process may be the gateway: it listens where this one is told to.
  const port = Number(/:(\d+)$/.exec(mqttUrl() ?? '')?.[1] ?? config.mqttPort);
  return {
    ...(port > 0 && { mqtt: { host: hostname, port, tls: config.mqttTls !== undefined } }),
    websocketUrl: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/mqtt`,
    httpUrl: `${protocol}//${host}/device/v1`,
  };
}
