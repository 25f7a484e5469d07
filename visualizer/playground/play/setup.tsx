import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { readField } from '../../../machines/text.ts';
import { set, takeText } from '../../page/frame/fieldEvents.ts';
import { Button } from '../../page/frame/panel.tsx';
import { story } from '../../page/game/state/session.ts';
import {
  type ChangedOptions,
  MEETING_FIELDS,
  NEVER,
  type OptionField,
  SHIP_FIELDS,
} from './address.ts';
import { isSetupOpen, MATCHES, match, matchId, options, seed, startOver } from './state.ts';

const draftId = signal('');
const draftSeed = signal('');
const draft = signal<ChangedOptions>({});

function startDraft(): void {
  draftId.value = matchId.value;
  draftSeed.value = `${seed.value}`;
  draft.value = options.value;
}

export function SetupForm() {
  useLayoutEffect(startDraft, []);
  const chosen = MATCHES.find(({ id }) => id === draftId.value) ?? match.value;
  const weights = MEETING_FIELDS.filter(({ name }) => name.startsWith('weights.'));
  const table = MEETING_FIELDS.filter(({ name }) => !name.startsWith('weights.'));
  return (
    <form
      method="dialog"
      onSubmit={() =>
        startOver({
          matchId: draftId.value,
          seed: Number(draftSeed.value) || 0,
          options: draft.value,
        })
      }
    >
      <header>
        <h2 id="setup-title">The next game</h2>
        <Button text="Close" act={set(isSetupOpen, false)} />
      </header>
      <div class="fields">
        <label class="wide" htmlFor="setup-match">
          <span>Match</span>
          <MatchChoice />
        </label>
        <label>
          <span>Seed</span>
          <input
            type="number"
            min={0}
            max={999_999_999}
            required
            value={draftSeed.value}
            onInput={takeText(draftSeed)}
          />
        </label>
      </div>
      <p class="about">{chosen?.match.about}</p>
      <Group title="Weights of the floor: who gets to speak" fields={weights} isOpen />
      <Group title="Rules of the meeting" fields={table} />
      {chosen?.kind === 'game' ? <Group title="Rules of the ship" fields={SHIP_FIELDS} /> : null}
      <footer>
        <Button text="Rules as they were" act={set(draft, {})} />
        <button type="submit" class="primary">
          Play
        </button>
      </footer>
    </form>
  );
}

function MatchChoice() {
  const groups = { game: 'Whole games', meeting: 'Single meetings' } as const;
  return (
    <select id="setup-match" value={draftId.value} onChange={takeText(draftId)}>
      {(['game', 'meeting'] as const).map((kind) => (
        <optgroup key={kind} label={groups[kind]}>
          {MATCHES.filter((one) => one.kind === kind).map((one) => (
            <option key={one.id} value={one.id}>
              {one.match.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

type GroupProps = Readonly<{ title: string; fields: readonly OptionField[]; isOpen?: boolean }>;

function Group({ title, fields, isOpen = false }: GroupProps) {
  const changed = fields.filter(({ name }) => draft.value[name] !== undefined).length;
  return (
    <details open={isOpen || changed > 0}>
      <summary>
        {title}
        {changed === 0 ? null : <em> · {changed} changed</em>}
      </summary>
      <div class="options">
        {fields.map((field) => (
          <Option key={field.name} field={field} />
        ))}
      </div>
    </details>
  );
}

/** '' is as it was: the option of the match, or its default. */
function change(name: string, text: string): void {
  const { [name]: _before, ...others } = draft.value;
  draft.value = text === '' ? others : { ...others, [name]: text };
}

const AS_IT_IS = 'as it is';

function describeOwn(name: string): string {
  const line = story.value.moments[0]?.line;
  if (draftId.value !== matchId.value || line?.type !== 'match.opened') return AS_IT_IS;
  let value: unknown = line.match?.options;
  for (const key of name.split('.')) value = readField(value, key);
  if (value === null) return NEVER;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === undefined ? AS_IT_IS : String(value);
}

function Option({ field: { name, row } }: { readonly field: OptionField }) {
  const value = draft.value[name] ?? '';
  const id = `option-${name}`;
  const own = describeOwn(name);
  return (
    <label class="option" htmlFor={id} data-changed={value === '' ? undefined : true}>
      <span>
        <b>{name.replace(/^weights\./, '').replaceAll(/[._]/g, ' ')}</b>
        <small>{row.help.replaceAll('`', '')}</small>
      </span>
      {row.type === 'number' ? (
        <input
          id={id}
          type="number"
          min={row.range.least}
          max={row.range.most}
          step={name.startsWith('weights.') ? 'any' : row.range.step}
          placeholder={own}
          value={value}
          onInput={({ currentTarget }) => change(name, currentTarget.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        >
          <option value="">{own}</option>
          {(row.type === 'switch' ? ['on', 'off'] : row.choices).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </label>
  );
}
