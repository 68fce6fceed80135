import {
  type AccessToken,
  accessTokensMax,
  createAccessToken,
  listAccessTokens,
  readOwnAccessToken,
  revokeAccessToken,
  tokenDaysMax,
} from '#contract/accessToken.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';
import { mailTo } from '#server/accounts/developers/mailTo.ts';
import { findById } from '#server/accounts/developers/store.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { endAccessToken, insertAccessToken } from '#server/api/sessions/accessToken.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { publishSessionsChanged } from '#server/api/sessions/sessionNotices.ts';
import { newTokenSecret, startOfSecret } from '#server/api/sessions/tokenSecret.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { accessTokenNotice } from '#server/mail/sending/notices.ts';
import { findAccessToken, tokensOf } from './store.ts';

export const accessTokens: Slice = {
  routes: [
    on(listAccessTokens, ({ db, me }) => tokensOf(db, me.developerId)),

    on(createAccessToken, async call => {
      const { db, me, body, now, platform } = call;
      const expiresAt = checkedExpiry(body.expiresAt, now);
      await checkProjects(call, body.projectIds);
      await checkTokens(call);
      const token = newTokenSecret();
      const id = platform.newId('pat');
      await insertAccessToken(db, {
        id,
        hash: hashToken(token),
        developerId: me.developerId,
        start: startOfSecret(token),
        name: body.name,
        scope: body.scope,
        projectIds: body.projectIds,
        now,
        expiresAt,
      });
      await mailDeveloper(call);
      return { ...(await read(call, id)), token };
    }),

    on(revokeAccessToken, async call => {
      const { db, me, params, platform } = call;
      const name = await endAccessToken(db, me.developerId, params.tokenId);
      if (name === undefined) throw new Problem('ACCESS_TOKEN_NOT_FOUND');
      call.before = { name };
      // Closes the streams opened with this token.
      call.afterCommit(() => publishSessionsChanged(platform, me.developerId));
    }),

    on(readOwnAccessToken, async call => {
      const { developerId, name, email, token } = call.me;
      if (!token)
        throw new Problem('ACCESS_TOKEN_NOT_FOUND', {
          message: 'This call was not made with an access token.',
        });
      return { ...(await read(call, token.id)), developer: { id: developerId, name, email } };
    }),
  ],
};

async function mailDeveloper(call: Call<typeof createAccessToken>): Promise<void> {
  const { db, platform, me, body, now, from } = call;
  const account = await findById(db, me.developerId);
  if (!account) return;
  const happened = { name: me.name, token: body.name, at: now, address: from.address };
  await mailTo(db, platform, account, baseUrl => accessTokenNotice({ baseUrl, ...happened }));
}

async function read({ db, me }: Call, id: string): Promise<AccessToken> {
  const found = await findAccessToken(db, me.developerId, id);
  if (!found) throw new Problem('ACCESS_TOKEN_NOT_FOUND');
  return found;
}

/** Allows one day more than the maximum, because the caller's clock may be ahead. */
function checkedExpiry(text: string, now: Date): Date {
  const expiresAt = new Date(text);
  const days = (expiresAt.getTime() - now.getTime()) / dayMs;
  if (days > 0 && days <= tokenDaysMax + 1) return expiresAt;
  throw new Problem('INVALID_FIELDS', {
    message: `An access token expires within ${tokenDaysMax} days. Choose an earlier date.`,
    fields: { expiresAt: 'INVALID' },
  });
}

/**
 * Rejects the list unless the developer is in all of these projects: a token for any other project would have no access
 * there, without an explanation.
 */
async function checkProjects({ db, me }: Call, projectIds: readonly string[] | undefined): Promise<void> {
  if (!projectIds) return;
  const rows = await db.many<{ id: string }>(sql`
    select p.id from project_members m join projects p on p.id = m.project_id and p.deleted_at is null
    where m.developer_id = ${me.developerId} and p.id = any(${projectIds})`);
  if (rows.length < new Set(projectIds).size)
    throw new Problem('PROJECT_NOT_FOUND', { fields: { projectIds: 'PROJECT_NOT_FOUND' } });
}

/** Locks the developer until the token is added, so that two tokens created at the same time are both counted. */
async function checkTokens({ db, me }: Call): Promise<void> {
  await db.run(sql`select from developers where id = ${me.developerId} for no key update`);
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from access_tokens where developer_id = ${me.developerId}`);
  if ((counted?.count ?? 0) >= accessTokensMax) throw new Problem('TOO_MANY_TOKENS');
}
