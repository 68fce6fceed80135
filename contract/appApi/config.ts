import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { PasswordPolicy } from '../project.ts';
import { jsonObject } from '../shapes.ts';

export const AppConfig = z.object({
  app: z.string(),
  project: z.object({ id: z.string(), name: z.string() }),
  /** The app's configuration, as set by the developer. */
  config: jsonObject,
  /** Shown on the sign-in screen: plain text; the app can turn URLs in it into links. */
  userAuthMessage: z.string(),
  /** `email`: users register and sign in here. `external`: the developer's back end brings its own users. */
  userAccountMode: z.enum(['email', 'external']),
  registration: z.enum(['open', 'invitation']),
  /** False: users sign in with a method or by invitation, never with a password. */
  passwordLogin: z.boolean(),
  passwordPolicy: PasswordPolicy.optional(),
  methods: z.array(
    z.object({ id: z.string(), label: z.string(), description: z.string(), iconUrl: z.string().optional() }),
  ),
  /** `legacy`: owner and members, who all have the same rights. `roles`: owner, admin, member, guest. */
  accessControl: z.enum(['legacy', 'roles']),
  homeCreation: z.boolean(),
  onDemandProvisioning: z.boolean(),
});
export type AppConfig = z.output<typeof AppConfig>;

export const readAppConfig = endpoint('readAppConfig', 'GET /config', {
  summary: 'Retrieves the config of the app, and what its sign-in screen needs to know about the project.',
  access: 'public',
  answer: AppConfig,
});

export const readMethodIcon = endpoint('readMethodIcon', 'GET /methods/:methodId/icon', {
  summary: 'Returns the icon of a sign-in method.',
  access: 'public',
  raw: 'download',
  reasons: ['USER_AUTH_METHOD_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
});
