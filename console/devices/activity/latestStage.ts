import { type Command, commandStages } from '#contract/command.ts';

/** As many as are on their way at once on any screen. */
const rememberedMax = 500;
const remembered = new Map<string, Command>();

const isFurther = (a: Command, b: Command) => commandStages.indexOf(a.stage) > commandStages.indexOf(b.stage);

/** Keeps in mind what the live link said of a command. */
export function rememberStage(command: Command): Command {
  const known = latestStage(command);
  remembered.delete(command.id);
  remembered.set(command.id, known);
  if (remembered.size > rememberedMax) remembered.delete(remembered.keys().next().value ?? '');
  return known;
}

/** A command never goes back a stage: an answer that was on its way is older than what was heard meanwhile. */
export function latestStage(command: Command): Command {
  const known = remembered.get(command.id);
  return known && isFurther(known, command) ? known : command;
}
