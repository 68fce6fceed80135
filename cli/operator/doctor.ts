import { statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { InstallationFault } from '#server/api/installation/installationFault.ts';
import { aheadSince } from '#server/api/retention/retentionClock.ts';
import { checkFiles } from '#server/firmware/components/checkFiles.ts';
import type { Config } from '#server/infra/config.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { hasOutbox } from '#server/mail/outbox/outbox.ts';
import { withPlatform } from './platform.ts';
import type { Command } from './words.ts';

const faultsShown = 20;

interface Finding {
  ok: boolean;
  what: string;
  says: string;
}

/** Checks everything an installation depends on, and reports errors and what to do about them. */
export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor',
  says: 'checks the installation and reports what to fix',
  run: async () => [],
  async alone(config) {
    const findings = [
      runtime(),
      disk(config),
      ...(await database(config)),
      await mailServer(config),
      await server(config),
    ];
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    return findings.map(({ ok, what, says }) => `${ok ? 'ok  ' : 'FAIL'}  ${what.padEnd(12)}${says}`);
  },
};

function runtime(): Finding {
  const ok = Number(process.versions.node.split('.')[0]) >= 24;
  return { ok, what: 'Node', says: ok ? process.version : `${process.version}; 24 or later is needed` };
}

function disk({ dataDir }: Config): Finding {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const freeGb = (bavail * bsize) / 1e9;
    const says = `${freeGb.toFixed(1)} GB free at ${dataDir}`;
    return {
      ok: freeGb > 1,
      what: 'Disk',
      says: freeGb > 1 ? says : `${says}; free at least 1 GB`,
    };
  } catch {
    return { ok: true, what: 'Disk', says: `${dataDir} does not exist yet; the first start creates it` };
  }
}

async function database(config: Config): Promise<Finding[]> {
  try {
    return await withPlatform(config, async platform => [
      await connection(platform),
      {
        ok: true,
        what: 'Master key',
        says: `${platform.sealing.fingerprint}, the one that the database is encrypted under`,
      },
      await waitingMails(platform),
      await firmware(platform),
      await clock(platform),
    ]);
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return [{ ok: false, what: error instanceof InstallationFault ? error.what : 'Database', says }];
  }
}

async function connection({ db, config }: Platform): Promise<Finding> {
  const row = await db.one<{ version: string; fsync: string; commit: string }>(sql`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`);
  const ok = row?.fsync === 'on' && row.commit !== 'off';
  const place = config.databaseUrl ? 'external' : 'embedded';
  const says = `PostgreSQL ${row?.version}, ${place}`;
  return {
    ok,
    what: 'Database',
    says: ok ? says : `${says}; turn on fsync and synchronous_commit, or a crash can lose data`,
  };
}

async function waitingMails({ db, config }: Platform): Promise<Finding> {
  const row = await db.one<{ waiting: number; error: string | null }>(sql`
    select count(*)::int as waiting, max(error) as error from mails where sent_at is null and content is not null`);
  if (!config.smtpUrl) {
    const isShown = hasOutbox(config);
    const place = isShown ? 'are shown at /outbox' : 'are not sent, and people cannot sign up: set it';
    return { ok: isShown, what: 'E-mail', says: `SMTP_URL is not set; e-mails ${place}` };
  }
  const waiting = row?.waiting ?? 0;
  return {
    ok: waiting === 0 || !row?.error,
    what: 'E-mail',
    says: `${waiting} waiting${row?.error ? `; last error: ${row.error}` : ''}`,
  };
}

/** Whether the clock has jumped ahead, so that nothing is deleted by its age. */
async function clock({ db }: Platform): Promise<Finding> {
  const ahead = await aheadSince(db);
  if (!ahead) return { ok: true, what: 'Clock', says: new Date().toISOString() };
  const [from, to] = [ahead.trustedAt.toISOString(), ahead.aheadSince.toISOString()];
  const says = `it jumped from ${from} to ${to}, so nothing is deleted by its age`;
  return { ok: false, what: 'Clock', says: `${says}; correct it, or run mooring clock confirm` };
}

/** Firmware files that a device would reject after the download, or not find. */
async function firmware(platform: Platform): Promise<Finding> {
  const { count, bytes, faults } = await checkFiles(platform);
  const files = `${count} ${count === 1 ? 'file' : 'files'}, ${(bytes / 1e6).toFixed(1)} MB`;
  const shown = faults.slice(0, faultsShown).join('; ');
  const more = faults.length > faultsShown ? `; ${faults.length - faultsShown} more` : '';
  return {
    ok: faults.length === 0,
    what: 'Firmware',
    says:
      faults.length === 0 ? `${files}, all as uploaded` : `${shown}${more}; restore the files from a backup`,
  };
}

async function mailServer({ smtpUrl }: Config): Promise<Finding> {
  if (!smtpUrl) return { ok: true, what: 'Mail server', says: 'none' };
  const { hostname, port, protocol } = new URL(smtpUrl);
  const ok = await answers(hostname, Number(port) || (protocol === 'smtps:' ? 465 : 587));
  return {
    ok,
    what: 'Mail server',
    says: ok ? `${hostname} answers` : `${hostname} does not answer; check SMTP_URL`,
  };
}

async function server({ port, host }: Config): Promise<Finding> {
  const running = port !== 0 && (await answers(host, port));
  return { ok: true, what: 'Server', says: running ? `listens on ${host}:${port}` : 'not running' };
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 3000 });
    const end = (ok: boolean) => {
      socket.destroy();
      resolve(ok);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
