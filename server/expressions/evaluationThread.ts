import { createEvaluation } from './evaluate.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs(createEvaluation());
