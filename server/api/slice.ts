import type { Project } from '#contract/project.ts';
import type { Partitioned } from '#server/infra/db/maintainPartitions.ts';
import type { Database, Db } from '#server/infra/db/sql.ts';
import type { Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Schedule, Tasks } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Resources } from './access/access.ts';
import type { AppResources } from './access/appResource.ts';
import type { Constraints } from './endpoints/constraints.ts';
import type { Route } from './endpoints/route.ts';
import type { FileLinks } from './files/links.ts';

declare module '#server/infra/platform.ts' {
  interface Platform {
    /** Removes an end user from the rows of all slices, in the transaction that deletes the account. */
    forgetUser: (db: Db, user: ErasedUser) => Promise<void>;
  }
}

/**
 * A noun's part of the server. `app.ts` lists all slices, and everything that covers all nouns derives from that list:
 * the developer API, the deletion of a project, jobs, housekeeping, file links, the sample project.
 */
export interface Slice {
  /** Its calls of the developer API, and the calls that only API keys may make. */
  routes?: readonly Route[];
  /** Its calls of the app API. */
  appRoutes?: readonly Route[];
  /** How to find the rows that calls of this and other slices are about. */
  resources?: Resources;
  /** The same for end users. */
  appResources?: AppResources;
  /** The reason that each violated database constraint maps to. */
  constraints?: Constraints;
  /** The tables that only this slice writes, with what a row of each is. Their rows are deleted with their project. */
  tables?: Readonly<Record<string, string>>;
  /** The same for tables whose rows belong to no project, or outlive theirs. */
  platformTables?: Readonly<Record<string, string>>;
  /** The prefixes of its ids. */
  idPrefixes?: readonly string[];
  jobs?: (platform: Platform, all: All) => Work;
  /** Jobs that run on a schedule. */
  schedule?: readonly Schedule[];
  /** Its tables that are partitioned by time. */
  partitions?: readonly Partitioned[];
  /** Runs each hour, after partitions have been added and dropped. */
  hourly?: (platform: Platform) => Promise<void>;
  /** Deletes expired rows. */
  chores?: readonly Chore[];
  /**
   * Deletes a batch of what a device sent and received in a home that it has left; true: there may be more. A home must
   * not see the past of another one.
   */
  wipesReleased?: (db: Database, past: Released) => Promise<boolean>;
  /** Removes an end user who is being erased from this slice's rows, in the transaction that deletes the account. */
  forgetsUser?: (db: Db, user: ErasedUser) => Promise<void>;
  /** The files that the files door accepts and serves for this slice. */
  files?: FileLinks;
  /** Adds its part to the sample project, in the transaction that creates it; slices are called in their order. */
  sample?: (db: Db, platform: SampleNeeds, sample: Sample) => Promise<void>;
}

/** The background work of a slice, in processes with the role `worker`. */
export interface Work {
  tasks: Tasks;
  stop?: () => Promise<void>;
}

/** What a job may need from all slices. */
export interface All {
  /** The tables whose rows are deleted with their project. */
  projectTables: readonly string[];
  wipesReleased: readonly NonNullable<Slice['wipesReleased']>[];
}

/** A device that left its home, and the time that it spent there. */
export interface Released {
  projectId: Project['id'];
  deviceId: string;
  deviceClass: string;
  from: Date;
  until: Date;
}

export interface ErasedUser {
  projectId: Project['id'];
  userId: string;
  /** The e-mail address, and one that is not verified yet. */
  addresses: readonly string[];
}

export type SampleNeeds = Pick<Platform, 'newId' | 'clock' | 'sealing'>;

export interface Sample {
  projectId: Project['id'];
  now: Date;
}

export const partitionsOf = (slices: readonly Slice[]) => slices.flatMap(({ partitions = [] }) => partitions);
