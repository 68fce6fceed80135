import { deleteMyHome } from '#contract/appApi/home.ts';
import { deleteHome as deleteHomeCall } from '#contract/home.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import type { Slice } from '#server/api/slice.ts';
import { deleteHome } from './deleteHome.ts';

export const homeDeletion: Slice = {
  routes: [on(deleteHomeCall, remove)],
  appRoutes: [
    on(deleteMyHome, call => {
      checkUserProof(call);
      return remove(call);
    }),
  ],
};

async function remove(call: Call<typeof deleteHomeCall> | Call<typeof deleteMyHome>): Promise<void> {
  const { db, row, platform, now } = call;
  const place = { projectId: row.projectId, homeId: row.id };
  const released = await deleteHome(db, platform, { ...place, actor: actorOf(call), now });
  call.before = { id: row.id, name: row.name, owner: row.owner.id, devices: released.length };
}
