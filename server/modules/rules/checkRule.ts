import type { ConfigFault } from '#contract/moduleConfig.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { Action } from '#server/modules/actions/actions.ts';
import { templatesOf } from '#server/modules/actions/fillActions.ts';
import { isForTeam, teamAddresses } from '#server/modules/actions/mailRecipients.ts';
import {
  type CheckedExpression,
  type Checker,
  createChecker,
} from '#server/modules/expressions/checkExpression.ts';
import { namesFor } from '#server/modules/expressions/classNames.ts';
import { nodesMax } from '#server/modules/expressions/language.ts';
import { readTemplate } from '#server/modules/expressions/textTemplates.ts';
import { externalUsersSay, hasExternalUsers } from '#server/modules/notify/unmailedUsers.ts';
import { checkAddress } from '#server/modules/smartModules/checkAddress.ts';
import type { Checking } from '#server/modules/smartModules/moduleType.ts';
import { compile } from './compiled.ts';
import { RuleConfig } from './ruleConfig.ts';

/** Checks a rule against the classes, events and data that it uses, and returns the errors. */
export async function checkRule(
  config: RuleConfig,
  checking: Checking,
): Promise<{ faults: ConfigFault[]; notes: string[] }> {
  const { db, platform, projectId, subscribedEvents } = checking;
  const checker = await checkerFor(checking);
  const condition = checker.check(config.condition, 'condition');
  const faults: ConfigFault[] = condition.faults.map(fault => ({ pointer: '/condition', ...fault }));
  for (const [at, action] of config.actions.entries()) {
    faults.push(...templateFaults(checker, action, `/actions/${at}`));
    if (action.kind === 'email') faults.push(...(await mailFaults(db, projectId, action, `/actions/${at}`)));
    if (action.kind === 'webhook')
      faults.push(...(await checkAddress(platform, action.url, `/actions/${at}/url`)));
  }
  if (faults.length > 0) return { faults, notes: [] };
  const mailsHome = config.actions.some(action => action.kind === 'email' && !isForTeam(action));
  const unsent = mailsHome && (await hasExternalUsers(db, projectId));
  const notes = notesOn(config, condition, subscribedEvents);
  return { faults, notes: unsent ? [...notes, `${externalUsersSay} This rule sends them none.`] : notes };
}

/** Checks the condition and the complete actions of a rule that lacks something else. */
export async function checkRuleParts(
  given: Readonly<Record<string, unknown>>,
  checking: Checking,
): Promise<ConfigFault[]> {
  const checker = await checkerFor(checking);
  const condition = RuleConfig.shape.condition.safeParse(given.condition);
  const faults = condition.success ? checker.check(condition.data, 'condition').faults : [];
  const actions = Array.isArray(given.actions) ? given.actions : [];
  return [
    ...faults.map(fault => ({ pointer: '/condition', ...fault })),
    ...actions.flatMap((one, at) => {
      const action = Action.safeParse(one);
      return action.success ? templateFaults(checker, action.data, `/actions/${at}`) : [];
    }),
  ];
}

async function checkerFor(checking: Checking): Promise<Checker> {
  const { db, projectId, deviceClasses, subscribedEvents, dataSourceModules } = checking;
  const labels = await labelsOf(db, projectId, dataSourceModules);
  return createChecker(await namesFor(db, projectId, { deviceClasses, subscribedEvents, labels }));
}

async function labelsOf(db: Db, projectId: string, moduleIds: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ label: string }>(sql`
    select bulk_data_label as label from smart_modules
    where project_id = ${projectId} and id = any(${moduleIds}) and bulk_data_label <> ''`);
  return rows.map(({ label }) => label);
}

function templateFaults(checker: Checker, action: Action, at: string): ConfigFault[] {
  return templatesOf(action).flatMap(({ pointer, text }) => {
    const place = `${at}${pointer}`;
    const template = readTemplate(text);
    if ('fault' in template)
      return [{ pointer: place, message: template.fault, from: template.from, to: template.to }];
    return template.places.flatMap(({ source, from }) =>
      checker.check(source, 'value').faults.map(fault => ({
        pointer: place,
        message: fault.message,
        from: from + fault.from,
        to: from + fault.to,
      })),
    );
  });
}

async function mailFaults(
  db: Db,
  projectId: string,
  { to, addresses }: Extract<Action, { kind: 'email' }>,
  at: string,
): Promise<ConfigFault[]> {
  const faults: ConfigFault[] = [];
  if (to !== 'addresses') return faults;
  if (addresses.length === 0)
    faults.push({ pointer: `${at}/addresses`, message: 'Add the address of a team member.' });
  const known = new Set(
    (await teamAddresses(db, projectId, addresses)).map(({ email }) => email.toLowerCase()),
  );
  for (const [number, address] of addresses.entries())
    if (!known.has(address.toLowerCase()))
      faults.push({
        pointer: `${at}/addresses/${number}`,
        message: `${address} is not on the team of this project.`,
      });
  return faults;
}

function notesOn(
  config: RuleConfig,
  { used }: CheckedExpression,
  subscribedEvents: readonly string[],
): string[] {
  const notes = [`${used.nodes} of ${nodesMax} parts`];
  if (config.acts === 'change' && compile(config).isEach)
    notes.push('The condition checks no values, so the rule acts on each event.');
  if (subscribedEvents.length === 0)
    notes.push('The rule receives no events yet. Subscribe it to some, such as _state_.');
  const asksState = used.names.has('state') && !used.names.has('event.payload');
  if (
    asksState &&
    subscribedEvents.length > 0 &&
    !subscribedEvents.some(name => name === '*' || name === '_state_')
  )
    notes.push('The condition checks the state, but the rule is not subscribed to its changes, _state_.');
  return notes;
}
