import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import type { Html } from '#server/api/pages/html.ts';

/** A section of text that applies to every call. */
export interface Convention {
  title: string;
  text: Html | readonly Html[];
}

/** One of the APIs, as described by its reference and its OpenAPI document. */
export interface Api {
  title: string;
  /** The purpose of the API, in plain text. */
  description: string;
  /** The introduction of the page: the purpose, with links to other documents. */
  lead: Html;
  groups: readonly Group[];
  /** The common prefix of all addresses, as shown and as typed. */
  prefix: { shown: string; typed: string };
  /** The server in the OpenAPI document. */
  server: Record<string, unknown>;
  securitySchemes: Record<string, unknown>;
  securityOf(endpoint: AnyEndpoint): Record<string, string[]>[];
  /** Who may make a call, in sentences; text between backticks is code. */
  accessOf(endpoint: AnyEndpoint): string;
  /** The credentials of a call, as options of curl. */
  credentialsOf(endpoint: AnyEndpoint): string[];
  /** True if calls that change something need the guard header. */
  hasGuard: boolean;
  /** True if the page lists all reasons, including those of no call, so that each one can be linked to. */
  hasAllReasons: boolean;
  /** The reasons that belong to a call itself. */
  ownReasons(endpoint: AnyEndpoint): readonly Reason[];
  /** The reasons that follow from who may make a call. */
  reasonsByAccess(endpoint: AnyEndpoint): readonly Reason[];
  conventionsAt(publicUrl: string): readonly Convention[];
}

export interface Group {
  title: string;
  calls: readonly AnyEndpoint[];
}

export const callsIn = ({ groups }: Pick<Api, 'groups'>): AnyEndpoint[] =>
  groups.flatMap(({ calls }) => calls);
