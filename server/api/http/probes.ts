import { createHash, timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Ailment, Pulse } from '#server/infra/db/pulse.ts';
import { metricLines } from '#server/infra/metrics.ts';
import type { Platform } from '#server/infra/platform.ts';
import { isLoopback } from './loopback.ts';

/** Health endpoints for monitoring: liveness, readiness and metrics. */
export function health(
  app: FastifyInstance,
  platform: Platform,
  { state, pulse, figures }: { state: { draining: boolean }; pulse: Pulse; figures: () => string[] },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  readiness(app, platform, { state, pulse });

  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  app.addHook('onClose', async () => void lag.disable());

  const answers = new Map<string, { count: number; ms: number }>();
  app.addHook('onResponse', (request, reply, done) => {
    const labels = `method="${request.method}",path="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}"`;
    const sum = answers.get(labels);
    if (!sum) answers.set(labels, { count: 1, ms: reply.elapsedTime });
    else {
      sum.count += 1;
      sum.ms += reply.elapsedTime;
    }
    done();
  });

  app.get('/metrics', async (request, reply) => {
    // Metrics reveal internals, so other machines need the token.
    const { metricsToken } = platform.config;
    if (!isLoopback(request) && !hasToken(request, metricsToken)) {
      if (metricsToken === undefined) throw new Problem('RESOURCE_NOT_FOUND');
      reply.header('www-authenticate', 'Bearer realm="metrics"');
      throw new Problem('NO_LOGIN', { message: 'Send METRICS_TOKEN as a bearer token.' });
    }
    return reply
      .type('text/plain; version=0.0.4')
      .send(
        `${[...metrics(answers, platform), ...lagLines(lag), ...figures(), ...metricLines()].join('\n')}\n`,
      );
  });
}

const sentences: Record<Ailment, string> = {
  unreachable: 'The database cannot be reached.',
  hanging: 'The database does not answer.',
  full: 'The disk of the database is full.',
  readOnly: 'The database is read-only.',
};

/** `/readyz`: answers within a second, with the cause. A change is logged once, because monitors ask all the time. */
function readiness(
  app: FastifyInstance,
  platform: Platform,
  { state, pulse }: { state: { draining: boolean }; pulse: Pulse },
): void {
  let last: Ailment | undefined;
  app.get('/readyz', async (_request, reply) => {
    const found = state.draining ? undefined : await ailmentOf(pulse, platform);
    if (found && found !== last) platform.log('error', `Not ready. ${sentences[found]}`);
    if (!found && last && !state.draining) platform.log('info', 'Ready again.');
    last = found;
    if (!found && !state.draining) {
      // Without the bus, this process still serves; other processes see its changes a little later.
      return { status: 'ready', ...(platform.bus.isAway && { away: ['nats'] }) };
    }
    const problem = new Problem('UNAVAILABLE', {
      message: found ? sentences[found] : 'The service is restarting. Try again in a few seconds.',
    });
    reply.header('cache-control', 'no-store').header('retry-after', '2').code(problem.status);
    return problem.toAnswer();
  });
}

/** Less than PostgreSQL takes for the next piece of its log: without it, the embedded server ends. */
const roomBytesMin = 16 * 1024 * 1024;

async function ailmentOf(pulse: Pulse, { config }: Platform): Promise<Ailment | undefined> {
  const found = await pulse.check();
  if (found !== 'unreachable' || config.databaseUrl !== undefined) return found;
  const { bavail, bsize } = await statfs(config.dataDir);
  return bavail * bsize < roomBytesMin ? 'full' : found;
}

/** Compares hashes, so that the time it takes reveals nothing. */
function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || given === undefined) return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** The lag since the last scrape. */
function* lagLines(lag: ReturnType<typeof monitorEventLoopDelay>): Generator<string> {
  yield '# TYPE mooring_event_loop_lag_seconds summary';
  for (const quantile of [0.5, 0.99, 1])
    yield `mooring_event_loop_lag_seconds{quantile="${quantile}"} ${(lag.percentile(quantile * 100) / 1e9).toFixed(4)}`;
  lag.reset();
}

function metrics(answers: Map<string, { count: number; ms: number }>, { db }: Platform): string[] {
  const memory = process.memoryUsage();
  const lines = [
    '# TYPE mooring_up_seconds gauge',
    `mooring_up_seconds ${process.uptime().toFixed(0)}`,
    '# TYPE mooring_resident_bytes gauge',
    `mooring_resident_bytes ${memory.rss}`,
    '# TYPE mooring_database_connections gauge',
    `mooring_database_connections{state="idle"} ${db.pool.idleCount}`,
    `mooring_database_connections{state="used"} ${db.pool.totalCount - db.pool.idleCount}`,
    `mooring_database_connections{state="waited_for"} ${db.pool.waitingCount}`,
    '# TYPE mooring_http_requests_seconds summary',
  ];
  for (const [labels, { count, ms }] of answers) {
    lines.push(`mooring_http_requests_seconds_count{${labels}} ${count}`);
    lines.push(`mooring_http_requests_seconds_sum{${labels}} ${(ms / 1000).toFixed(4)}`);
  }
  return lines;
}
