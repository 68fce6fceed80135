import type { Project } from '#contract/project.ts';
import type { Partitioned } from './db/maintainPartitions.ts';
import type { Db } from './db/sql.ts';
import type { Resources } from './endpoints/access.ts';
import type { AppResources } from './endpoints/appResource.ts';
import type { Constraints } from './endpoints/constraints.ts';
import type { Route } from './endpoints/route.ts';
import type { FileLinks } from './files/links.ts';
import type { Chore } from './jobs/housekeeping.ts';
import type { Schedule, Tasks } from './jobs/jobs.ts';
import type { Platform } from './platform.ts';

/**
 * A noun's part of the server. `app.ts` lists them all, and everything that goes over all nouns derives from that list:
 * the developer API, the deletion of a project, jobs, housekeeping, file links, the sample project.
 */
export interface Slice {
  /** Its calls of the developer API, and what only keys may call. */
  routes?: readonly Route[];
  /** Its calls of the app API. */
  appRoutes?: readonly Route[];
  /** How the rows are found that its calls, and those of others, are about. */
  resources?: Resources;
  /** The same for end users. */
  appResources?: AppResources;
  /** Which reason a broken constraint of the database stands for. */
  constraints?: Constraints;
  /** The tables that only this slice writes, with what a row of each is; their rows go with their project. */
  tables?: Readonly<Record<string, string>>;
  /** The same of tables whose rows belong to no project, or outlive theirs. */
  platformTables?: Readonly<Record<string, string>>;
  /** What its ids begin with. */
  idPrefixes?: readonly string[];
  jobs?: (platform: Platform, all: All) => Work;
  /** Jobs that the clock adds. */
  schedule?: readonly Schedule[];
  /** Tables of its own that are split by time. */
  partitions?: readonly Partitioned[];
  /** Done each hour, after the partitions were seen to. */
  hourly?: (platform: Platform) => Promise<void>;
  /** Rows that have had their time. */
  chores?: readonly Chore[];
  /** What the files door takes and gives for it. */
  files?: FileLinks;
  /** Adds its part to the sample project, in the transaction that makes it; slices are asked in their order. */
  sample?: (db: Db, platform: SampleNeeds, sample: Sample) => Promise<void>;
}

/** What a slice does in the background, where this process has the role `worker`. */
export interface Work {
  tasks: Tasks;
  stop?: () => Promise<void>;
}

/** What a job may need of all the slices. */
export interface All {
  /** The tables whose rows go with their project. */
  projectTables: readonly string[];
}

export type SampleNeeds = Pick<Platform, 'newId' | 'clock' | 'sealing'>;

export interface Sample {
  projectId: Project['id'];
  now: Date;
}

export const partitionsOf = (slices: readonly Slice[]) => slices.flatMap(({ partitions = [] }) => partitions);
