import { type Command, commandStages } from '#contract/command.ts';

/** As many as are on their way at once on any screen. */
const heardMax = 500;
const heard = new Map<string, Command>();

const isFurther = (a: Command, b: Command) => commandStages.indexOf(a.stage) > commandStages.indexOf(b.stage);

/** Keeps in mind what the live link said of a command. */
export function hearCommand(command: Command): Command {
  const known = furthest(command);
  heard.delete(command.id);
  heard.set(command.id, known);
  if (heard.size > heardMax) heard.delete(heard.keys().next().value ?? '');
  return known;
}

/** A command never goes back a stage: an answer that was on its way is older than what was heard meanwhile. */
export function furthest(command: Command): Command {
  const known = heard.get(command.id);
  return known && isFurther(known, command) ? known : command;
}
