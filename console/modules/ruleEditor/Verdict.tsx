import { Link } from '@tanstack/react-router';
import { useConfig } from '#console/modules/config/ConfigContext.ts';
import type { ModuleConfigForm } from '#console/modules/form/useConfigForm.ts';
import { namedAt } from '#console/modules/sentence/words.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import type { RuleNames, RuleReplay } from '#contract/ruleReplay.ts';
import { numberText } from '#rules/text/numberText.ts';
import { countText } from './countText.ts';
import css from './ruleEditor.module.css';
import { missingPart, type RuleSentence } from './useRuleSentence.ts';

interface VerdictProps {
  config: ModuleConfigForm;
  rule: RuleSentence | undefined;
  replay: RuleReplay | undefined;
  /** True: an error of the condition is shown at its place in the code. */
  asCode: boolean;
}

/** Below the rule: what is wrong with it or missing, or that it reads well and for which devices it holds now. */
export function Verdict({ config: { check, faults, config, isBroken }, rule, replay, asCode }: VerdictProps) {
  const condition = String(config.valueAt(['condition']) ?? '');
  const missing = rule && missingPart(rule);
  const isAsked = missing !== undefined && !/^action|addAction/.test(missing.slot);
  const fault = isAsked ? undefined : faults.find(({ pointer }) => pointer === '/condition');
  const others = faults.filter(({ pointer }) => pointer !== '/condition' && !pointer.startsWith('/actions'));
  const says = (fault && asCode ? 'Correct the condition.' : fault?.message) ?? others[0]?.message;
  if (check.error)
    return (
      <div className={css.verdict}>
        <FormError error={check.error} />
      </div>
    );
  return (
    <div className={css.verdict}>
      <p role="status">
        {says !== undefined && (
          <>
            <Dot tone="danger" /> <span className={css.bad}>{says}</span>
          </>
        )}
        {says === undefined && (isAsked || !check.isCurrent || isBroken) && (
          <>
            <Dot tone="never" /> {isAsked ? `${missing.says}.` : 'Checking the rule'}
          </>
        )}
        {says === undefined && !isAsked && check.isCurrent && !isBroken && (
          <>
            <Dot tone="ok" /> <b>Reads well.</b>{' '}
            <Holding replay={replay} names={rule?.names} condition={condition} />
          </>
        )}
      </p>
      <code>{condition}</code>
    </div>
  );
}

interface HoldingProps {
  replay: RuleReplay | undefined;
  names: RuleNames | undefined;
  condition: string;
}

/** "Holds for 2 of 28 devices right now: Cellar at 5.4 °C and Porch at 4.9 °C." */
function Holding({ replay, names, condition }: HoldingProps) {
  const { projectId } = useConfig();
  if (!replay?.holding || replay.state !== 'done' || replay.isCut) return null;
  const { devices, some } = replay.holding;
  const all = countText(replay.devicesTotal, 'device');
  if (devices === 0) return <span>Holds for none of {all} right now.</span>;
  const unit = namedAt(names, /^[\w.]+/.exec(condition)?.[0])?.unit;
  return (
    <span>
      Holds for {numberText(devices)} of {all} right now:{' '}
      {some.map(({ device, parts }, at) => (
        <span key={device.id}>
          {at > 0 && (at === some.length - 1 && devices === some.length ? ' and ' : ', ')}
          <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId: device.id }}>
            <bdi>{device.name || device.tag || device.id}</bdi>
          </Link>
          {parts.length === 1 &&
            isNumber(parts[0]?.value) &&
            ` at ${[parts[0]?.value, unit].filter(Boolean).join(' ')}`}
        </span>
      ))}
      {devices > some.length && ` and ${numberText(devices - some.length)} more`}.
    </span>
  );
}

const isNumber = (value: string | undefined) => value !== undefined && /^-?[\d.]+$/.test(value);
