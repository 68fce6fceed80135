import type { CallFailed } from '#contract/client.ts';

/** The code of a part that could not be loaded: for "The log requests", LOG_REQUESTS_NOT_LOADED. */
export function notLoadedCode(what: string): string {
  const words = what.replace(/^(the|your) /i, '').toUpperCase();
  return `${words.replace(/[^A-Z0-9]+/g, '_')}_NOT_LOADED`;
}

/** True: the reason says why nothing arrived, but not what is missing. */
export function isGeneral({ reason }: CallFailed): boolean {
  return reason === 'CONNECTION_ERROR' || reason === 'UNAVAILABLE' || reason === 'DISABLED';
}
