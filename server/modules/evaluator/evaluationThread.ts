import { createEvaluation } from '#server/modules/expressions/evaluate.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs(createEvaluation());
