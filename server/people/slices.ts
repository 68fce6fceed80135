import type { Slice } from '#server/api/slice.ts';
import { userAccounts } from './accounts/slice.ts';
import { userExports } from './exports/routes.ts';
import { homeAlerts } from './homeAlerts/slice.ts';
import { homeDevices } from './homeDevices/routes.ts';
import { homeEvents } from './homeEvents/routes.ts';
import { homeDeletion } from './homes/deletion/routes.ts';
import { homes } from './homes/routes.ts';
import { homeInvitations } from './invitations/routes.ts';
import { userMails } from './mails/slice.ts';
import { userManagement } from './management/routes.ts';
import { myDevicesSlice } from './myDevices/routes.ts';
import { userSessions } from './sessions/slice.ts';
import { userMethods } from './signIn/routes.ts';
import { userAuthMethods } from './userAuthMethods/routes.ts';
import { broughtUsers } from './users/brought/routes.ts';
import { users } from './users/routes.ts';

export const peopleSlices: readonly Slice[] = [
  userAuthMethods,
  users,
  userMethods,
  userSessions,
  userMails,
  userAccounts,
  homes,
  homeInvitations,
  homeDeletion,
  userManagement,
  userExports,
  broughtUsers,
  homeEvents,
  homeDevices,
  homeAlerts,
  myDevicesSlice,
];
