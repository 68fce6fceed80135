import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type Reason } from '#contract/problem.ts';
import { DatabaseUnavailable } from '#server/infra/db/sql.ts';
import { isFull } from '#server/infra/db/unavailable.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Answers what fails, and what is not there; with `LOG_LEVEL=debug`, logs a line for each request. */
export function answerInOurWords(app: FastifyInstance, platform: Platform): void {
  app.setErrorHandler(answerProblem(platform));
  app.setNotFoundHandler(() => {
    throw new Problem('RESOURCE_NOT_FOUND');
  });
  const { config, log } = platform;
  if (config.logLevel !== 'debug') return;
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime);
    log('debug', `${request.method} ${pathOf(request)} ${reply.statusCode}`, { requestId: request.id, ms });
    done();
  });
}

/** Maps errors of Fastify itself to our reasons. */
const fastifyReasons: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED',
  FST_ERR_BAD_URL: 'RESOURCE_NOT_FOUND',
};

/**
 * Converts any thrown error to an error response: JSON, or a page of `show`. Internal errors become a 500 and are logged
 * with the request id, never shown to the caller.
 */
export function answerProblem(
  platform: Platform,
  show = (reply: FastifyReply, problem: Problem): unknown =>
    reply.type('application/json; charset=utf-8').send(problem.toAnswer()),
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error);
    // Errors of a developer's back end are in the developer's log; the operator cannot do anything about them.
    if (problem.status >= 500 && !problem.reason.startsWith('PROXY_')) {
      platform.log('error', `${request.method} ${pathOf(request)} failed`, {
        requestId: request.id,
        error: detailOf(error, problem),
      });
    }
    const retryAfterS = problem.retryAfterS ?? (problem.status === 503 ? 2 : undefined);
    if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS));
    for (const name of ofContent) reply.removeHeader(name);
    show(reply.header('cache-control', 'no-store').code(problem.status), problem);
  };
}

/** Headers about a content that a handler had announced before it failed; the answer has another content. */
const ofContent = [
  'content-length',
  'content-encoding',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
];

/** An outage says the same for every call that meets it, and is not explained by where the call was. */
function detailOf(error: unknown, { reason }: Problem): string {
  if (!(error instanceof Error)) return String(error);
  return reason === 'UNAVAILABLE' ? error.message : (error.stack ?? error.message);
}

/** Signed links grant access, so they are not logged. */
function pathOf({ url, routeOptions }: FastifyRequest): string {
  return routeOptions.url?.startsWith('/files/') ? routeOptions.url : (url.split('?')[0] ?? '');
}

const full = {
  message: 'The service has no storage space left, so nothing can be saved. Try again later.',
  retryAfterS: 30,
};

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable)
    return isFull(error) ? new Problem('UNAVAILABLE', full) : new Problem('UNAVAILABLE');
  const { code, statusCode } = error as Partial<FastifyError>;
  const reason = code ? fastifyReasons[code] : undefined;
  if (reason) return new Problem(reason);
  return new Problem(statusCode && statusCode < 500 ? 'MALFORMED' : 'DISABLED');
}
