import {
  createKey,
  deleteKey,
  editKey,
  editPreviousSecret,
  endPreviousSecret,
  type Key,
  listKeys,
  readKey,
  readKeyUse,
  rotateKey,
} from '#contract/key.ts';
import { Problem } from '#contract/problem.ts';
import { keyGrace } from '#rules/time/lifetimes.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { newTokenSecret } from '#server/api/sessions/tokenSecret.ts';
import type { Slice } from '#server/api/slice.ts';
import { checkGrace, checkKey } from './checkKey.ts';
import { publishKeyChanged } from './keyNotices.ts';
import { flushKeyCalls } from './keyUses.ts';
import { keyUseChores, useOf } from './readKeyUse.ts';
import * as store from './store.ts';

export const keys: Slice = {
  tables: {
    keys: 'The API key of a back end, with its capabilities.',
    key_uses: 'The calls a key made on a day by capability, and how many were refused.',
    key_addresses: 'The calls a key made from an address on a day.',
    key_refusals: 'One of the latest calls of a key that were refused.',
  },
  idPrefixes: ['key'],
  chores: keyUseChores,
  resources: { key: store.keyResource },
  routes: [
    on(listKeys, ({ db, params, page, now }) => store.keysOf(db, params.projectId, { page, now })),

    on(createKey, async call => {
      const { db, params, body, now, platform } = call;
      const key = { projectId: params.projectId, id: platform.newId('key') };
      const secret = newTokenSecret();
      const createdBy = actorOf(call).displayName;
      await store.insertKey(db, { ...checkKey(body, now), ...key, secret: stored(secret), createdBy, now });
      return { ...(await read(call, key)), secret };
    }),

    on(readKey, async call => call.row),

    on(readKeyUse, async ({ db, row, now, platform }) => {
      await flushKeyCalls(platform);
      return useOf(db, row, now);
    }),

    on(editKey, async call => {
      await store.updateKey(call.db, call.row, checkKey(call.body, call.now));
      return changed(call);
    }),

    on(deleteKey, async call => {
      await store.deleteKey(call.db, call.row);
      publishChange(call);
    }),

    on(rotateKey, async call => {
      const { db, row, body, now } = call;
      const secret = newTokenSecret();
      const until = new Date(now.getTime() + (body.graceS ?? keyGrace.defaultS) * 1000);
      await store.rotateSecret(db, row, { secret: stored(secret), until, now });
      return { ...(await changed(call)), secret };
    }),

    on(editPreviousSecret, async call => {
      mustHavePrevious(call.row);
      await store.extendPrevious(call.db, call.row, checkGrace(call.body.until, call.now));
      return changed(call);
    }),

    on(endPreviousSecret, async call => {
      mustHavePrevious(call.row);
      await store.endPrevious(call.db, call.row);
      return changed(call);
    }),
  ],
};

const stored = (secret: string): store.Secret => ({ hash: hashToken(secret), end: secret.slice(-4) });

function mustHavePrevious({ previousSecret }: Key): void {
  if (!previousSecret) throw new Problem('NO_PREVIOUS_SECRET');
}

type OfKey = Pick<Call, 'db' | 'now' | 'platform' | 'afterCommit'> & { row: Key };

function changed(call: OfKey): Promise<Key> {
  publishChange(call);
  return read(call, call.row);
}

function publishChange({ platform, row, afterCommit }: OfKey): void {
  afterCommit(() => publishKeyChanged(platform, row.id));
}

async function read({ db, now }: Pick<Call, 'db' | 'now'>, key: Pick<Key, 'projectId' | 'id'>): Promise<Key> {
  const found = await store.findKeyRow(db, key, now);
  if (!found) throw new Problem('KEY_NOT_FOUND');
  return found;
}
