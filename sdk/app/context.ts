import type { Api } from './api.ts';
import type { EventStream } from './eventStream.ts';

/** State that the parts of an app share. */
export interface AppContext {
  api: Api;
  stream: EventStream;
}
