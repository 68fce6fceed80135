import { maintainDevicePartitions } from '#server/db/devicePartitions.ts';
import { actOnDevicesJob } from '#server/deviceBulk/bulkJob.ts';
import { bulkChores } from '#server/deviceBulk/bulkStore.ts';
import { applyImportJob } from '#server/deviceImports/importApply.ts';
import { checkImportJob } from '#server/deviceImports/importCheck.ts';
import { importChores } from '#server/deviceImports/importStore.ts';
import { removeFilesJob } from '#server/files/unkept.ts';
import { gatewayChores } from '#server/gateway/chores.ts';
import { failLogRequestsJob, logRequestChores } from '#server/logRequests/overdue.ts';
import { maintainPartitions } from '#server/logs/partitions.ts';
import { pruneSeals } from '#server/logs/prune.ts';
import { Sealer } from '#server/logs/sealer.ts';
import { sendMail } from '#server/mail/sendMail.ts';
import { createSmtp } from '#server/mail/smtp.ts';
import type { Platform } from '#server/platform.ts';
import { deleteProjectJob } from '#server/projects/deletion.ts';
import { userAuthChores } from '#server/userAuthMethods/flows.ts';
import { accountChores, housekeepingHourly, keepHouse } from './jobs/housekeeping.ts';
import { migrateJobs, startJobs } from './jobs/jobs.ts';

/** Every job of the platform; a process without the role `worker` only adds them. */
export async function startTasks(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const { config, db, log, clock } = platform;
  if (!config.roles.includes('worker')) {
    await migrateJobs({ pool: db.pool, log });
    return { stop: async () => undefined };
  }
  const smtp =
    config.smtpUrl === undefined
      ? undefined
      : createSmtp({ smtpUrl: config.smtpUrl, mailFrom: config.mailFrom });
  const sealer = new Sealer(platform);
  const chores = keepHouse({
    ...platform,
    chores: [
      ...[...accountChores, ...userAuthChores, ...logRequestChores],
      ...[...bulkChores, ...importChores, ...gatewayChores],
    ],
  });
  const jobs = await startJobs({
    pool: db.pool,
    log,
    tasks: {
      sendMail: sendMail({ ...platform, smtp }),
      deleteProject: deleteProjectJob(platform),
      sealLogs: () => sealer.run(),
      removeFiles: removeFilesJob(platform),
      failLogRequests: failLogRequestsJob(platform),
      actOnDevices: actOnDevicesJob(platform),
      checkImport: checkImportJob(platform),
      applyImport: applyImportJob(platform),
      keepHouse: async (payload, attempt) => {
        await maintainPartitions(db, clock());
        await maintainDevicePartitions(db, clock());
        await pruneSeals(db, clock());
        await chores(payload, attempt);
      },
    },
    // Entries are sealed a moment after they are written; this finds those that a killed process left.
    cron: [
      housekeepingHourly,
      { task: 'sealLogs', at: '* * * * *' },
      { task: 'removeFiles', at: '* * * * *' },
      { task: 'failLogRequests', at: '*/5 * * * *' },
    ],
  });
  return {
    async stop() {
      await sealer.stop();
      await jobs.stop();
      smtp?.close();
    },
  };
}
