import { verifyLog } from '#server/api/logs/auditChain/verify.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Command, readWords, UsageFault } from './words.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  usage: 'audit verify <project or organization> [head hash of an earlier check]',
  says: 'verifies the hash chain of an audit log; the exit code is 1 if it is broken',
  async run(platform, words) {
    const { plain } = readWords(words, words.length === 2 ? 2 : 1, []);
    const [id = '', head] = plain;
    if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
      throw new UsageFault(`${head} is not a head hash: a head hash has 64 digits and letters a to f.`);
    await mustExist(platform, id);
    const found = await verifyLog(platform, id, platform.clock(), head);
    if (!found.intact) process.exitCode = 1;
    const { fault, firstEntryAt, lastEntryAt } = found;
    const where = [fault?.entryId, fault?.at].filter(Boolean).join(' of ');
    return [
      fault ? `BROKEN  ${fault.text}${where && ` (${where})`}` : 'intact',
      `${found.entriesChecked} entries checked${firstEntryAt ? `, ${firstEntryAt} to ${lastEntryAt}` : ''}`,
      ...(found.entriesNotYetSealed ? [`${found.entriesNotYetSealed} entries not yet sealed`] : []),
      ...(found.headHash ? [`head ${found.headHash}`] : []),
    ];
  },
};

async function mustExist({ db }: Platform, id: string): Promise<void> {
  const found = await db.one(sql`
    select 1 as found from projects where id = ${id}
    union all select 1 from organizations where id = ${id} limit 1`);
  if (!found) throw new UsageFault(`Project or organization ${id} does not exist.`);
}
