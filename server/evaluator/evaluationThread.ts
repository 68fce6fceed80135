import { createEvaluation } from '#server/expressions/evaluate.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs(createEvaluation());
