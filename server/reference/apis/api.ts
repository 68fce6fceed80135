import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import type { Html } from '#server/pages/html.ts';

/** A part of the text that holds for every call. */
export interface Convention {
  title: string;
  text: Html | readonly Html[];
}

/** One of the APIs as its reference and its OpenAPI document describe it. */
export interface Api {
  title: string;
  /** What it is for, in plain text. */
  description: string;
  /** The same at the head of the page, with what else there is to read. */
  lead: Html;
  groups: readonly Group[];
  /** What all addresses begin with, as they are shown, and as they are typed. */
  prefix: { shown: string; typed: string };
  /** Of the OpenAPI document. */
  server: Record<string, unknown>;
  securitySchemes: Record<string, unknown>;
  securityOf(endpoint: AnyEndpoint): Record<string, string[]>[];
  /** Who may make a call, in sentences; what stands between backticks is code. */
  accessOf(endpoint: AnyEndpoint): string;
  /** What goes with a call besides its input, as options of curl. */
  credentialsOf(endpoint: AnyEndpoint): string[];
  /** True: calls that change something need the guard header. */
  hasGuard: boolean;
  /** True: its page lists all reasons there are, also those of no call, so that each can be linked to. */
  hasAllReasons: boolean;
  /** What a call itself can fail with. */
  ownReasons(endpoint: AnyEndpoint): readonly Reason[];
  /** What it can fail with because of who may make it. */
  reasonsByAccess(endpoint: AnyEndpoint): readonly Reason[];
  conventionsAt(publicUrl: string): readonly Convention[];
}

export interface Group {
  title: string;
  calls: readonly AnyEndpoint[];
}

export const callsIn = ({ groups }: Pick<Api, 'groups'>): AnyEndpoint[] =>
  groups.flatMap(({ calls }) => calls);
