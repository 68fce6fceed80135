import { beforeEach, describe, expect, it } from 'vitest';
import { verifyLogEntries } from '#contract/log.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aChain } from '#test/chain.ts';

const at = aChain();

describe('verification finds', () => {
  beforeEach(() => at.fiveEntries());

  const mine = () => sql`project_id = ${at.projectId} and stream = 'audit'`;

  it('an entry whose text was changed', async () => {
    await at.tamper(sql`update log_entries set text = 'entry X' where ${mine()} and text = 'entry 2'`);
    const { intact, fault, entriesChecked } = await at.verify();
    expect({ intact, entriesChecked }).toEqual({ intact: false, entriesChecked: 3 });
    expect(fault?.text).toBe('This entry or its place in the chain was changed after it was sealed.');
  });

  it.each([
    ['level', sql`level = 3`],
    ['actor', sql`actor = actor || '{"id":"dvl_innocent"}'`],
    ['sudo mark', sql`actor = actor || '{"bySudoer":true}'`],
    ['action', sql`action = 'nothing'`],
    ['detail', sql`detail = '{"after":{"n":3}}'`],
    ['missing detail', sql`detail = null`],
    ['subject', sql`subject = 'dvl_x'`],
  ])('an entry whose %s was changed', async (_, change) => {
    await at.tamper(sql`update log_entries set ${change} where ${mine()} and text = 'entry 2'`);
    expect((await at.verify()).fault?.text).toMatch(/was changed/);
  });

  it('an entry that was moved in time', async () => {
    await at.tamper(
      sql`update log_entries set ts = ts - interval '1 hour' where ${mine()} and text = 'entry 2'`,
    );
    expect((await at.verify()).fault?.text).toMatch(/removed/);
  });

  it.each(['entry 0', 'entry 2', 'entry 4'])('the deletion of %s', async text => {
    await at.tamper(sql`delete from log_entries where ${mine()} and text = ${text}`);
    expect((await at.verify()).fault?.text).toBe('This entry was removed after it was sealed.');
  });

  it('an entry that was deleted with its seal', async () => {
    await at.tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text = 'entry 2' returning id)
      delete from audit_seals where project_id = ${at.projectId} and entry_id in (select id from gone)`);
    expect((await at.verify()).fault?.text).toBe('The seals before this entry were removed.');
  });

  it('the deletion of the oldest entries with their seals', async () => {
    await at.tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text in ('entry 0', 'entry 1') returning id)
      delete from audit_seals where project_id = ${at.projectId} and (seq = 1 or entry_id in (select id from gone))`);
    expect((await at.verify()).fault?.text).toBe('The seals before this entry were removed.');
  });

  it('the deletion of the newest entries with their seals, if the former head is known', async () => {
    const { headHash } = await at.verify();
    await at.tamper(sql`
      with gone as (delete from log_entries where ${mine()} and text = 'entry 4' returning id)
      delete from audit_seals where project_id = ${at.projectId} and entry_id in (select id from gone)`);
    expect((await at.verify()).intact).toBe(true);
    expect((await at.verify(headHash)).fault?.text).toBe('The chain does not contain the given hash.');
  });

  it('an inserted entry', async () => {
    await at.tamper(sql`
      insert into log_entries (project_id, stream, ts, id, level, actor, action, text)
      select project_id, stream, ts, 'log_forged', level, actor, action, 'forged' from log_entries
      where ${mine()} and text = 'entry 2'`);
    const { fault } = await at.verify();
    expect(fault).toMatchObject({ entryId: 'log_forged' });
    expect(fault?.text).toMatch(/inserted/);
  });

  it('two entries that were swapped', async () => {
    await at
      .tamper(sql`
      update audit_seals s set entry_id = o.entry_id, entry_ts = o.entry_ts, hash = o.hash
      from audit_seals o
      where s.project_id = ${at.projectId} and o.project_id = ${at.projectId} and s.seq in (3, 4) and o.seq = 7 - s.seq`)
      // The unique index refuses the swap in one statement; anyone who forges a chain would drop it first.
      .catch(async () => {
        await at.tamper(sql`drop index audit_seals_entry`);
        await at.tamper(sql`
          update audit_seals s set entry_id = o.entry_id, entry_ts = o.entry_ts, hash = o.hash
          from audit_seals o
          where s.project_id = ${at.projectId} and o.project_id = ${at.projectId} and s.seq in (3, 4)
            and o.seq = 7 - s.seq`);
        await at.tamper(sql`create unique index audit_seals_entry on audit_seals (project_id, entry_id)`);
      });
    expect((await at.verify()).fault?.text).toMatch(/its place in the chain/);
  });

  it('no error in the log of another project', async () => {
    await at.tamper(sql`update log_entries set text = 'entry X' where ${mine()} and text = 'entry 2'`);
    const other = await at.world.aProject(at.owner);
    await at.seal();
    const found = await at.owner.client.call(verifyLogEntries, { params: { projectId: other.id } });
    expect(found.intact).toBe(true);
  });
});
