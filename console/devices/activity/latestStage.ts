import { type Command, commandStages } from '#contract/command.ts';
import { type DesiredChange, desiredStages } from '#contract/desiredChange.ts';

/** More than are ever in progress at once on any screen. */
const rememberedMax = 500;

/** Remembers the latest stage that the live link announced for each item. Stages only move forward. */
class LatestStages<Staged> {
  readonly #remembered = new Map<string, Staged>();
  readonly #keyOf: (one: Staged) => string;
  readonly #stepOf: (one: Staged) => number;

  constructor(keyOf: (one: Staged) => string, stepOf: (one: Staged) => number) {
    this.#keyOf = keyOf;
    this.#stepOf = stepOf;
  }

  remember(one: Staged): Staged {
    const known = this.latest(one);
    const key = this.#keyOf(one);
    this.#remembered.delete(key);
    this.#remembered.set(key, known);
    if (this.#remembered.size > rememberedMax)
      this.#remembered.delete(this.#remembered.keys().next().value ?? '');
    return known;
  }

  /** A response that was already on its way is older than what the live link announced meanwhile. */
  latest(one: Staged): Staged {
    const known = this.#remembered.get(this.#keyOf(one));
    return known !== undefined && this.#stepOf(known) > this.#stepOf(one) ? known : one;
  }
}

const commands = new LatestStages<Command>(
  ({ id }) => id,
  ({ stage }) => commandStages.indexOf(stage),
);
const changes = new LatestStages<DesiredChange>(
  ({ deviceId, version }) => `${deviceId} ${version}`,
  // Its times arrive one by one, also after the last stage.
  ({ stage, sentAt, acknowledgedAt }) =>
    desiredStages.indexOf(stage) + (sentAt ? 0.1 : 0) + (acknowledgedAt ? 0.1 : 0),
);

export const rememberStage = (command: Command): Command => commands.remember(command);
export const latestStage = (command: Command): Command => commands.latest(command);
export const rememberChange = (change: DesiredChange): DesiredChange => changes.remember(change);
export const latestChange = (change: DesiredChange): DesiredChange => changes.latest(change);
