import { findByEmail } from '#server/accounts/developers/store.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { insertClasses } from '#server/classes/deviceClasses/store.ts';
import { seedDevices } from '#server/devices/devices/seedDevices.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { insertProject } from '#server/projects/projects/store.ts';
import { counted, figure } from './backup/progress.ts';
import { auditOperator } from './platform.ts';
import { type Command, readWords, UsageFault } from './words.ts';

const devicesMax = 10_000_000;
const classesMax = 100;

export const seed: Command = {
  name: 'seed',
  usage: 'seed --project <id>|--email <e-mail> --devices <n> [--classes <n>] [--org <id>]',
  says: 'adds demonstration devices to a project, or to a new project of a developer',
  async run(platform, words) {
    const { options } = readWords(words, 0, ['devices'], ['project', 'email', 'org', 'classes']);
    const count = whole('devices', options.devices, devicesMax);
    const classes = Array.from(
      { length: whole('classes', options.classes ?? '3', classesMax) },
      (_, i) => `demo-${i + 1}`,
    );
    const project = await placeFor(platform, options);
    const startedAt = performance.now();
    await makeClasses(platform, project.id, classes);
    await seedDevices(platform, { projectId: project.id, classes, count }, done => {
      process.stderr.write(`\r${figure(done)} of ${figure(count)} devices`);
    });
    process.stderr.write('\n');
    const text = `${counted(count, 'demonstration device')} of ${counted(classes.length, 'class', 'classes')} created`;
    await auditOperator(platform.db, platform, { orgId: project.id, action: 'seedDevices', text });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return [
      `${text} in ${seconds} s.`,
      `Project ${project.name}: ${platform.publicUrl()}/projects/${project.id}`,
    ];
  },
};

interface Place {
  id: string;
  name: string;
}

async function placeFor(
  platform: Platform,
  { project: id, email, org = 'default' }: Partial<Record<'project' | 'email' | 'org', string>>,
): Promise<Place> {
  if ((id === undefined) === (email === undefined)) throw new UsageFault('Pass --project or --email.');
  if (id === undefined) return projectFor(platform, org, email ?? '');
  const found = await platform.db.one<Place>(
    sql`select id, name from projects where id = ${id} and deleted_at is null`,
  );
  if (!found) throw new UsageFault(`Project ${id} does not exist.`);
  return found;
}

async function projectFor({ db, newId, clock }: Platform, org: string, email: string): Promise<Place> {
  const developer = await findByEmail(db, org, normalEmail(email));
  if (!developer) throw new UsageFault(`Developer ${email} does not exist in ${org}.`);
  const place = { id: newId('prj'), name: 'Demonstration' };
  const description = 'Demonstration devices created by the operator. Nothing here is real.';
  const given = { ...place, description, orgId: org, isSample: false, createdBy: developer.id, now: clock() };
  await insertProject(db, given);
  return place;
}

async function makeClasses({ db, clock }: Platform, projectId: string, ids: string[]): Promise<void> {
  const classes = ids.map(id => ({ id, description: 'For demonstration only' }));
  await insertClasses(db, projectId, classes, { now: clock() });
}

function whole(name: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new UsageFault(`--${name} must be a number from 1 to ${figure(max)}.`);
  return value;
}
