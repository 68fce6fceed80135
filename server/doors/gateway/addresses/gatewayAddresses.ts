import type { Gateway } from '#contract/gateway.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The addresses at which devices reach the platform from outside. */
export function gatewayAddresses({ config, publicUrl, mqttUrl }: Platform): Gateway {
  const { protocol, host, hostname } = new URL(publicUrl());
  // Another process may be the gateway; it uses the port in this process's configuration.
  const port = Number(/:(\d+)$/.exec(mqttUrl() ?? '')?.[1] ?? config.mqttPort);
  return {
    ...(port > 0 && { mqtt: { host: hostname, port, tls: config.mqttTls !== undefined } }),
    websocketUrl: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/mqtt`,
    httpUrl: `${protocol}//${host}/device/v1`,
  };
}
