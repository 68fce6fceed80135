import type { Slice } from '#server/api/slice.ts';
import { emailTemplates } from './emailTemplates/routes.ts';
import { mail } from './sending/slice.ts';

export const mailSlices: readonly Slice[] = [mail, emailTemplates];
