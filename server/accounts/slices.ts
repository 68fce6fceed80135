import type { Slice } from '#server/api/slice.ts';
import { accessTokens } from './accessTokens/routes.ts';
import { accounts } from './developers/routes.ts';
import { identity } from './identity/slice.ts';
import { organizations } from './organizations/routes.ts';

export const accountSlices: readonly Slice[] = [accounts, accessTokens, organizations, identity];
