import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { sql } from '#server/db/sql.ts';
import { metricLines } from '#server/metrics.ts';
import type { Platform } from '#server/platform.ts';
import { isLoopback } from './loopback.ts';

/** Health endpoints for monitoring: liveness, readiness and metrics. */
export function health(
  app: FastifyInstance,
  platform: Platform,
  { state, figures }: { state: { draining: boolean }; figures: () => string[] },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async () => {
    if (state.draining) throw new Problem('UNAVAILABLE');
    await platform.db.one(sql`select 1 as ok`).catch(() => {
      throw new Problem('UNAVAILABLE');
    });
    // Without the bus, this process still serves; other processes see its changes a little later.
    return { status: 'ready', ...(platform.bus.isAway && { away: ['nats'] }) };
  });

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
