import { relative } from 'node:path';
import { readConfig } from './config.ts';
import { hasOutbox } from './outbox/outbox.ts';
import { type Started, startServer } from './start.ts';
import { StartFault } from './startFault.ts';

const startedAt = performance.now();
try {
  const starting = startServer(readConfig(process.env));
  stopOnSignals(starting);
  console.log(block(await starting));
} catch (error) {
  if (!(error instanceof StartFault)) throw error;
  console.error(error.message);
  process.exit(1);
}

function block(server: Started): string {
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
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const body = lines.map(([name = '', value]) => `  ${name.padEnd(14)}${value}`).join('\n');
  return `\n  Mooring is running (${seconds} s)\n\n${body}\n`;
}

function mailPlace({ url, platform: { config } }: Started): string {
  if (config.smtpUrl) return `sent through ${new URL(config.smtpUrl).host}`;
  return hasOutbox(config) ? `${url}/outbox` : 'held until SMTP_URL is set';
}

/** The first signal drains, also while the start is under way; a second one means it. */
function stopOnSignals(starting: Promise<Started>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      const stopped = starting.then(server => server.stop());
      stopped.then(
        () => process.exit(0),
        error => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
