import { sql } from '#server/infra/db/sql.ts';
import { discardWaiting } from '#server/modules/runs/discardWaiting.ts';
import { notifyTeam } from '#server/modules/smartModules/notifyTeam.ts';
import { findModule, openModule, setSuspended } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { auditOperator } from './platform.ts';
import { type Command, columns, readWords, UsageFault } from './words.ts';

const listedMax = 200;
const byOperator = 'The operator of the platform suspended it';

interface Listed {
  projectId: string;
  id: string;
  type: string;
  state: string;
  why: string | null;
  failed: number;
}

/** For an operator whose platform suffers from a module, also while the platform does not run. */
export const moduleCommands: Command[] = [
  {
    name: 'module list',
    usage: 'module list [<project>]',
    says: 'lists the smart modules that rest, are parked or fail most; or all of a project',
    async run({ db, clock }, words) {
      const [projectId = null] = readWords(words, words.length === 0 ? 0 : 1, []).plain;
      const rows = await db.many<Listed>(sql`
        select s.project_id as "projectId", s.id, s.module_type as type,
          case when s.suspended then 'suspended' when s.parked_at is not null then 'parked'
            when r.until > ${clock()} then 'resting' else 'running' end as state,
          coalesce(s.suspended_because, s.parked_because, case when r.until > ${clock()} then r.because end) as why,
          coalesce((select sum(h.failed)::int from module_hours h where h.project_id = s.project_id
            and h.module_id = s.id and h.hour >= ${clock()}::timestamptz - interval '1 day'), 0) as failed
        from smart_modules s
        left join module_rests r on r.project_id = s.project_id and r.module_id = s.id
        where ${projectId}::text is null or s.project_id = ${projectId}
        order by (r.until > ${clock()}) desc nulls last, s.parked_at is not null desc, failed desc, s.project_id, s.id
        limit ${listedMax}`);
      return columns([
        ['PROJECT', 'MODULE', 'TYPE', 'STATE', 'FAILED IN 24 H', 'BECAUSE'],
        ...rows.map(row => [row.projectId, row.id, row.type, row.state, String(row.failed), row.why ?? '-']),
      ]);
    },
  },
  {
    name: 'module suspend',
    usage: 'module suspend <project> <module>',
    says: 'suspends a smart module and discards its waiting runs; its team gets an e-mail',
    async run(platform, words) {
      const { plain } = readWords(words, 2, []);
      const [projectId = '', id = ''] = plain;
      const module = { projectId, id };
      const now = platform.clock();
      return platform.db.tx(async db => {
        const found = await db.one<{ orgId: string }>(sql`
          select p.org_id as "orgId" from smart_modules s join projects p on p.id = s.project_id
          where s.project_id = ${projectId} and s.id = ${id}`);
        if (!found) throw new UsageFault(`Project ${projectId} has no smart module ${id}.`);
        if ((await setSuspended(db, module, { suspended: true, because: byOperator, now })) === 0)
          return ['It is suspended already.'];
        await discardWaiting(db, projectId, id, now);
        await notifyTeam(db, platform, { ...module, because: byOperator, what: 'suspended' });
        const row = await findModule(db, projectId, id);
        if (row) await typeOf(row.moduleType).changed?.(db, openModule(platform, row), platform);
        await auditOperator(db, platform, {
          orgId: found.orgId,
          action: 'suspendModule',
          text: `Smart module ${id} of project ${projectId} suspended`,
        });
        return [
          'Suspended. The team of the project gets an e-mail; a running platform follows within seconds.',
        ];
      });
    },
  },
];
