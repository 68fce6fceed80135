import {
  answerMyUpdate,
  claimDevice,
  editMyDevice,
  listMyCommands,
  listMyDesiredChanges,
  listMyDeviceEvents,
  listMyDevices,
  listMyStates,
  type MyDeviceClass,
  provisionDevice,
  readMyCommand,
  readMyDevice,
  readMyDeviceClass,
  readMyDeviceState,
  readMyUpdate,
  releaseMyDevice,
  sendMyCommand,
  setMyDesired,
} from '#contract/appApi/device.ts';
import { resellMyHome } from '#contract/appApi/home.ts';
import { Problem } from '#contract/problem.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import type { Slice } from '#server/api/slice.ts';
import { renameInHome } from '#server/devices/devices/homeOfDevices.ts';
import { eventsOf } from '#server/devices/events/readEvents.ts';
import { stateOf } from '#server/devices/state/state.ts';
import { sql } from '#server/infra/db/sql.ts';
import { releaseDevices } from '#server/people/homeDevices/releaseDevices.ts';
import { resell } from '#server/people/homeDevices/resale.ts';
import { lockMyHome } from '#server/people/homes/findHome.ts';
import { claim, countClaim } from './claim.ts';
import { send, setDesired, toMyState } from './control.ts';
import { myCommands, myDesiredChanges, readOne } from './myCommands.ts';
import { myDevice, myDevices } from './myDevice.ts';
import { myStates } from './myStates.ts';
import { answer, readUpdate } from './myUpdate.ts';
import { provision } from './provision.ts';

/** The devices of homes, for their members. */
export const myDevicesSlice: Slice = {
  appRoutes: [
    on(listMyDevices, call => myDevices(call, call.params.homeId)),
    on(listMyStates, myStates),
    on(claimDevice, countClaim, claim),
    on(provisionDevice, provision),
    on(readMyDevice, call => myDevice(call, call.row.id)),
    on(readMyDeviceClass, readClass),
    on(readMyUpdate, readUpdate),
    on(answerMyUpdate, answer),
    on(editMyDevice, async call => {
      await renameInHome(call.db, call.row.projectId, call.row.id, call.body.name);
      return myDevice(call, call.row.id);
    }),
    on(releaseMyDevice, async call => {
      const { db, platform, row, now } = call;
      const given = { projectId: row.projectId, deviceIds: [row.id], now, actor: actorOf(call) };
      const [released] = await releaseDevices(db, platform, given);
      if (!released) throw new Problem('DEVICE_NOT_FOUND');
      return released;
    }),
    on(resellMyHome, async call => {
      checkUserProof(call);
      const { db, platform, inApp, params, now } = call;
      await lockMyHome(call, 'own');
      const given = { projectId: inApp.projectId, homeId: params.homeId, actor: actorOf(call), now };
      return resell(db, platform, { ...given, rotatesKeys: false });
    }),
    on(readMyDeviceState, async ({ db, row }) => toMyState(await stateOf(db, row.projectId, row.id))),
    on(setMyDesired, setDesired),
    on(listMyDesiredChanges, myDesiredChanges),
    on(listMyCommands, myCommands),
    on(sendMyCommand, send),
    on(readMyCommand, readOne),
    on(listMyDeviceEvents, call => eventsOf(call, call.row.ownedSince)),
  ],
};

async function readClass({ db, row }: Call<typeof readMyDeviceClass>): Promise<MyDeviceClass> {
  type Schemas = Pick<MyDeviceClass, 'eventSchemas' | 'commandSchemas'>;
  const found = await db.one<
    { description: string; stateSchema: unknown } & Record<keyof Schemas, unknown>
  >(sql`
    select description, state_schema as "stateSchema", event_schemas as "eventSchemas",
      command_schemas as "commandSchemas"
    from device_classes where project_id = ${row.projectId} and id = ${row.deviceClass}`);
  if (!found) throw new Problem('DEVICE_NOT_FOUND');
  const { description, ...schemas } = found;
  const given = Object.entries(schemas).filter(([, schema]) => schema !== null);
  return { id: row.deviceClass, description, ...(Object.fromEntries(given) as Schemas) };
}
