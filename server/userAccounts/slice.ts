import type { Slice } from '#server/slice.ts';
import { myProfileRoutes } from './profiles.ts';

/** How end users come to an account and keep it, from the app. */
export const userAccounts: Slice = { appRoutes: [...myProfileRoutes] };
