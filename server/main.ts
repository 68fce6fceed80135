import { type Config, readConfig } from './config.ts';
import { startPostgres } from './db/postgres.ts';
import { createLog } from './log.ts';
import { giveWay } from './pace/giveWay.ts';
import type { Started } from './start.ts';
import { StartFault } from './startFault.ts';

const startedAt = performance.now();
try {
  const config = readConfig(process.env);
  const starting = start(config);
  stopOnSignals(starting);
  const server = await starting;
  // Jobs and modules can wait a moment; devices and people whose doors share the machine notice each one. A database that
  // was started along is none of them.
  if (config.roles.every(role => role === 'worker')) giveWay();
  const { startedText } = await import('./startedText.ts');
  console.log(startedText(server, performance.now() - startedAt));
} catch (error) {
  if (!(error instanceof StartFault)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** The database starts while the rest of the server is loaded: each takes about as long as the other. */
async function start(config: Config): Promise<Started> {
  const log = createLog(config.logLevel);
  const postgres = startPostgres({ ...config, log: { warn: text => log('warn', text) } });
  // Heard of once the server is loaded.
  postgres.catch(() => undefined);
  const { startServer } = await import('./start.ts');
  return startServer(config, { log, postgres });
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
