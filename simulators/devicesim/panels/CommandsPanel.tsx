import { type FormEvent, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import { parseJson } from '../controls/parseJson.ts';
import css from '../devicesim.module.css';
import type { ReceivedCommand, ReceivedCommands } from '../receivedCommands.ts';
import type { Simulation } from '../simulation.ts';

/** The commands that the device received, and its answers. */
export function CommandsPanel({ simulation: { commands } }: { simulation: Simulation }) {
  const all = useStore(commands.all);
  const answers = useStore(commands.answers);
  return (
    <Panel
      title="Commands"
      action={
        <div className={css.inHead}>
          <Segments
            label="Answer commands"
            options={[
              { value: 'self', label: 'Automatically' },
              { value: 'hand', label: 'Manually' },
            ]}
            chosen={answers}
            onChange={value => commands.answers.set(value)}
          />
        </div>
      }
    >
      {all.length === 0 ? (
        <p className={css.quiet}>
          No commands yet. Send one from the device in the console. A command named <code>reboot</code> takes
          the device offline for three seconds.
        </p>
      ) : (
        <ul className={css.rows} aria-label="Commands">
          {all.map(command => (
            <li key={command.id}>
              <div className={css.row}>
                <time dateTime={command.at.toISOString()}>{millisecondText(command.at)}</time>
                <code className={css.tag}>{command.name}</code>
                <code className={css.cut}>{JSON.stringify(command.args)}</code>
                <span
                  data-tone={command.stage === 'open' ? 'wait' : command.stage === 'done' ? 'ok' : 'danger'}
                >
                  {stageWords(command)}
                </span>
              </div>
              {command.stage === 'open' && answers === 'hand' && (
                <AnswerForm command={command} commands={commands} />
              )}
              {command.answer && <code className={css.answer}>{command.answer}</code>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function stageWords({ stage, kept }: ReceivedCommand): string {
  if (stage === 'open') return 'open';
  return kept ? stage : `${stage}, sending the answer`;
}

/** The text is the result, if it is JSON, or the error of a failed command. */
function AnswerForm({ command, commands }: { command: ReceivedCommand; commands: ReceivedCommands }) {
  const [text, setText] = useState('');
  const parsed = parseJson(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    commands.succeed(command.id, text.trim() === '' ? undefined : (parsed?.value ?? text));
  }
  return (
    <form className={css.answerForm} onSubmit={submit}>
      <input
        className={css.typed}
        aria-label={`Result or error of ${command.name}`}
        placeholder="result or error (optional)"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <Button type="submit">Answer OK</Button>
      <Button onClick={() => commands.fail(command.id, text.trim() || 'The command failed.')}>Fail</Button>
    </form>
  );
}
