import type { SchemaFault } from '#contract/quarantine.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import { GroupCommit, type notYet } from '#server/infra/db/groupCommit.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { CheckTime } from './checkTime.ts';
import type { ClassSchemas, OfClass, SchemaCache } from './classSchemas.ts';
import type { Quarantine, Quarantined } from './quarantine/storeQuarantine.ts';

/** A message for which the class of its device may have a schema. */
export interface DeviceMessage {
  id: string;
  device: OfClass & { id: string };
  /** The name of an event. */
  name?: string;
  frame: Frame;
  ts: Date;
}

/** The result for a message; undefined: it was stored. */
export type Outcome = Refusal | typeof notYet | undefined;

/** What checking needs, for all kinds of messages. */
export interface Checking {
  schemas: SchemaCache;
  /** Told what was quarantined. */
  liveEvents: { quarantined(message: Quarantined): void };
  quarantine: Quarantine;
}

interface Kind<Message> {
  kind: Quarantined['kind'];
  itemsMax: number;
  /** How many batches may be stored at once. Messages of one device are never in two of them. */
  batchesMax?: number;
  /** The schema for a message; undefined: any content is valid. */
  schemaOf: (schemas: ClassSchemas, message: Message) => unknown;
  /**
   * Checks and stores a batch; `begin` creates a check for each attempt of its transaction. `batch` identifies it when
   * it is stored again, because the answer of the database was lost.
   */
  store: (
    messages: Message[],
    begin: () => SchemaCheck<Message>,
    batch: object,
  ) => Promise<{ outcomes: Outcome[]; broken: Quarantined[] }>;
}

/**
 * Stores messages of many devices together in a group commit. A message that violates the schema of its class is
 * refused and quarantined; consoles that watch the device are notified once it is stored there.
 */
export class CheckedMessages<Message extends DeviceMessage> {
  readonly #batch: GroupCommit<Message, Refusal | undefined>;

  constructor({ db }: Pick<Platform, 'db'>, checking: Checking, of: Kind<Message>) {
    const { schemas, liveEvents } = checking;
    const run = async (messages: Message[], batch: object) => {
      const schemasOf = await schemas.of(
        db,
        messages.map(({ device }) => device),
      );
      const begin = () => new SchemaCheck(checking, of, schemasOf);
      const { outcomes, broken } = await of.store(messages, begin, batch);
      for (const message of broken) liveEvents.quarantined(message);
      return outcomes;
    };
    const { kind: name, itemsMax, batchesMax: batches = 1 } = of;
    const atOnce = { batches, keyOf: ({ device }: Message) => device.id };
    this.#batch = new GroupCommit({
      name,
      run,
      itemsMax,
      patient: true,
      ...(batches > 1 && { atOnce }),
    });
  }

  /** Resolves once the message is stored and can be acknowledged, or is refused. */
  take(message: Message): Promise<Refusal | undefined> {
    return this.#batch.add(message);
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }
}

/** The checks of one batch, within the time budget of each project. */
export class SchemaCheck<Message> {
  readonly broken: Quarantined[] = [];
  readonly #checking: Checking;
  readonly #of: Kind<Message>;
  readonly #schemasOf: (device: OfClass) => ClassSchemas;
  readonly #time = new CheckTime();

  constructor(checking: Checking, of: Kind<Message>, schemasOf: (device: OfClass) => ClassSchemas) {
    this.#checking = checking;
    this.#of = of;
    this.#schemasOf = schemasOf;
  }

  schemaOf(message: Message & DeviceMessage): unknown {
    return this.#of.schemaOf(this.#schemasOf(message.device), message);
  }

  /**
   * Whether a message with a schema has to wait for the next batch, because its project used up its time in this one.
   */
  isOver({ device }: DeviceMessage): boolean {
    return this.#time.isOver(device.projectId);
  }

  /** `validate` finds the errors of the message. */
  refusalOf(message: Message & DeviceMessage, validate: () => SchemaFault[]): Refusal | undefined {
    const faults = this.#time.check(message.device.projectId, validate);
    if (faults.length === 0) return undefined;
    this.broken.push(quarantined(this.#of.kind, message, faults));
    return { ...refuse('SCHEMA_BROKEN'), faults };
  }

  /** Stores the messages that violate a schema, in the same transaction as everything else. */
  storeBroken(db: Db): Promise<void> {
    return this.#checking.quarantine.store(db, this.broken);
  }
}

function quarantined(
  kind: Quarantined['kind'],
  { id, device, name, frame, ts }: DeviceMessage,
  faults: Quarantined['faults'],
): Quarantined {
  const { projectId, deviceClass, id: deviceId } = device;
  return {
    projectId,
    deviceClass,
    deviceId,
    kind,
    name,
    faults,
    ts,
    // Derived from the id of the message, so that a retry stores it only once.
    id: id.replace(/^[a-z]+/, 'qrt'),
    text: frame.text,
  };
}
