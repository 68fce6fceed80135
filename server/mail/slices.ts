import type { Slice } from '#server/api/slice.ts';
import { mail } from './sending/slice.ts';
import { emailTemplates } from './templates/routes.ts';

export const mailSlices: readonly Slice[] = [mail, emailTemplates];
