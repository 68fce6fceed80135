import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { type Outlet, openEventStream } from '#server/api/http/eventStream.ts';
import { checkAnswer } from './checkAnswer.ts';

interface ListAnswer {
  items: unknown[];
  total: number;
  totalIsLowerBound?: boolean;
}

/** An answer that is not JSON. */
export type RawAnswer =
  | { redirect: string }
  | { contentType: string; filename?: string; body: Readable }
  | {
      eventStream: (outlet: Outlet) => void;
      /** The end user who opens the stream, if a ticket identifies them instead of a token. */
      listener?: { id: string };
    };

const checked = process.env.CHECK_ANSWERS === '1';

/** Sends the result of a handler: 204 for none, a list with its total in `Content-Range`, otherwise JSON. */
export function answerWith(endpoint: AnyEndpoint, answer: unknown, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (endpoint.raw) return sendRaw(answer as RawAnswer, reply);
  if (endpoint.list) return sendList(endpoint, answer as ListAnswer, reply);
  if (checked) checkAnswer(endpoint, answer);
  if (endpoint.accepted) return reply.code(202).send();
  if (answer === undefined) return reply.code(204).send();
  const created = mayCreate(endpoint) && typeof answer === 'object' && answer !== null && 'id' in answer;
  return reply.code(created ? 201 : 200).send(answer);
}

/** A POST to a path that ends in an id creates nothing. */
export const mayCreate = ({ method, path }: AnyEndpoint): boolean => method === 'POST' && !/:\w+$/.test(path);

function sendList(
  endpoint: AnyEndpoint,
  { items, total, totalIsLowerBound }: ListAnswer,
  reply: FastifyReply,
) {
  if (checked) checkAnswer(endpoint, items);
  const { skip = 0 } = reply.request.query as { skip?: string };
  const first = Number(skip);
  if (items.length === 0 && first > 0 && !totalIsLowerBound) {
    reply.header('content-range', `items */${total}`);
    throw new Problem('INVALID_RANGE', {
      message: 'This page is past the end of the list. Request an earlier one.',
      context: { total },
    });
  }
  const range = items.length === 0 ? '*' : `${first}-${first + items.length - 1}`;
  if (totalIsLowerBound) reply.header('total-is-lower-bound', '1');
  return reply.header('content-range', `items ${range}/${total}`).send(items);
}

function sendRaw(answer: RawAnswer, reply: FastifyReply) {
  if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
  if ('eventStream' in answer) {
    const { listener } = answer;
    if (listener) Object.assign(reply.request.loggedCaller ?? {}, { endUser: listener });
    return openEventStream(reply, answer.eventStream);
  }
  const { contentType, filename, body } = answer;
  if (filename)
    reply.header('content-disposition', `attachment; filename="${filename.replace(/[^\w.-]/g, '_')}"`);
  return reply.type(contentType).send(body);
}
