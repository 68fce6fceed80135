import { relative } from 'node:path';
import { hasOutbox } from './mail/outbox/outbox.ts';
import type { Started } from './start.ts';

/** What the server prints once it has started. */
export function startedText(server: Started, ms: number): string {
  const { url, platform } = server;
  const { config } = platform;
  const dataDir = relative(process.cwd(), config.dataDir) || '.';
  const lines = [
    ['Console', config.publicUrl ?? url],
    ['API reference', `${config.publicUrl ?? url}/docs`],
    ...(server.mqttUrl ? [['MQTT', server.mqttUrl]] : []),
    ['E-mail', mailPlace(server)],
    [
      'Data',
      config.databaseUrl ? 'external PostgreSQL' : dataDir.startsWith('..') ? config.dataDir : dataDir,
    ],
    ['Stop', 'Ctrl-C'],
  ];
  const body = lines.map(([name = '', value]) => `  ${name.padEnd(14)}${value}`).join('\n');
  return `\n  Mooring is running (${(ms / 1000).toFixed(1)} s)\n\n${body}\n`;
}

function mailPlace({ url, platform: { config } }: Started): string {
  if (config.smtpUrl) return `sent through ${new URL(config.smtpUrl).host}`;
  return hasOutbox(config) ? `${url}/outbox` : 'held until SMTP_URL is set';
}
