import type { Gateway } from '#contract/gateway.ts';
import { cSnippet } from './snippetC.ts';
import { curlSnippet, everyCurlSnippet } from './snippetCurl.ts';
import { everyMosquittoSnippet, mosquittoSnippet } from './snippetMosquitto.ts';
import { everyPythonSnippet, pythonSnippet } from './snippetPython.ts';
import { typescriptSnippet } from './snippetTypescript.ts';

export interface SnippetFor {
  gateway: Gateway;
  deviceId: string;
  apiKey: string;
}

type Writer = (given: SnippetFor) => string;

interface Snippet {
  label: string;
  /** MQTT over TCP, which not every installation exposes. */
  needsMqtt: boolean;
  /** Connects this device, reports something and listens. */
  first: Writer;
  /** Uses the whole protocol; absent if `first` already does. */
  every?: Writer;
}

export const snippets = {
  mosquitto: { label: 'mosquitto', needsMqtt: true, first: mosquittoSnippet, every: everyMosquittoSnippet },
  curl: { label: 'curl', needsMqtt: false, first: curlSnippet, every: everyCurlSnippet },
  typescript: { label: 'TypeScript', needsMqtt: false, first: typescriptSnippet },
  python: { label: 'Python', needsMqtt: true, first: pythonSnippet, every: everyPythonSnippet },
  c: { label: 'C', needsMqtt: true, first: cSnippet },
} as const satisfies Record<string, Snippet>;

export type SnippetKind = keyof typeof snippets;
export const snippetKinds = Object.keys(snippets) as SnippetKind[];

export function snippetOf(kind: SnippetKind, given: SnippetFor, every = false): string {
  const snippet: Snippet = snippets[kind];
  return ((every && snippet.every) || snippet.first)(given);
}

export const hasMore = (kind: SnippetKind): boolean => 'every' in snippets[kind];
