import { idempotency } from './endpoints/idempotency.ts';
import { files } from './files/receiveFile.ts';
import { installation } from './installation/slice.ts';
import { logs } from './logs/slice.ts';
import { retention } from './retention/slice.ts';
import { sessions } from './sessions/slice.ts';
import type { Slice } from './slice.ts';

export const apiSlices: readonly Slice[] = [sessions, idempotency, files, installation, logs, retention];
