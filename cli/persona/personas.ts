/** Personas as people see them: a list, and what each of them has done and learned. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import {
  BLANK_MEMORY,
  checkName,
  normaliseId,
  type PersonaMemory,
} from '../../actors/stores/persona.ts';
import { type Career, describePersona } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { alignColumns } from '../../visualizer/terminal/statistics.ts';
import { createFailure, EXIT, type ExitCode } from '../exit.ts';
import { LOOKING, type PlaceFlags, withPlace } from '../league/place.ts';
import { print, printJson } from '../output.ts';

export type PersonaFlags = PlaceFlags & {
  readonly model?: string;
  readonly learned?: readonly string[];
  readonly lesson?: number;
  readonly history?: boolean;
  readonly json?: boolean;
};

/** A persona that is there, with its memory. */
export type Known = {
  readonly id: string;
  readonly career: Career;
  readonly memory: PersonaMemory;
};

/** Finds a persona by its id, as somebody typed it. */
export async function known(store: Store, typed: string): Promise<Known> {
  const refusal = checkName('persona', typed);
  if (refusal !== null) throw createFailure(EXIT.usage, refusal.code, refusal.text);
  const id = normaliseId(typed);
  const career = await store.career(id);
  if (career !== null) return { id, career, memory: (await store.memory(id)) ?? BLANK_MEMORY };
  const all = await store.personas();
  // Whoever types a name alone means the persona of that name, whatever its model is.
  const near = all.find((each) => each.endsWith(`_${id}`)) ?? suggestWord(id, all);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const text = `there is no persona ${JSON.stringify(id)} in this store${help}`;
  throw createFailure(EXIT.noInput, 'persona/unknown', text);
}

export async function list(flags: PersonaFlags): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const rows: Known[] = [];
    for (const id of await store.personas()) rows.push(await known(store, id));
    if (flags.json) {
      const personas = rows.map(({ career, memory }) => describePersona(career, memory));
      printJson({ type: 'persona.list', v: 1, personas });
    } else if (rows.length === 0) print('There is no persona in this store yet.');
    else print(listText(rows));
    return EXIT.done;
  });
}

function listText(rows: readonly Known[]): string {
  const body = rows.map(({ id, career, memory }) => {
    const {
      games_played: games,
      win_rate,
      impostor_win_rate,
      crewmate_win_rate,
    } = describePersona(career, memory);
    const rates = [win_rate, impostor_win_rate, crewmate_win_rate].map(percent);
    return [clean(id), String(games), ...rates, String(memory.lessons.length)];
  });
  return alignColumns([
    ['persona', 'games', 'won', 'as impostor', 'as crew', 'lessons'],
    ...body,
  ]).join('\n');
}

export async function show(typed: string, flags: PersonaFlags): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const { id, career, memory } = await known(store, typed);
    const history = flags.history ? await store.history(id) : [];
    if (flags.json) {
      const document = describePersona(career, memory);
      printJson({ ...document, ...(flags.history ? { history } : {}) });
    } else print([shown(career, memory), ...history.map(versionText)].join('\n'));
    return EXIT.done;
  });
}

function shown(career: Career, memory: PersonaMemory): string {
  const { persona_id, games_played, win_rate, impostor_win_rate, crewmate_win_rate } =
    describePersona(career, memory);
  const { model, name } = career.persona;
  const rates = `won ${percent(win_rate)}, as impostor ${percent(impostor_win_rate)}, as crewmate ${percent(crewmate_win_rate)}`;
  const lessons = memory.lessons.map(
    ({ text, from }, index) =>
      `${String(index + 1).padStart(3)}  ${clean(text)}\n     from ${clean(from)}`,
  );
  return [
    `${clean(persona_id)}: ${clean(name)}, played by ${clean(model)}`,
    games_played === 0 ? 'no games yet' : `${games_played} games: ${rates}`,
    '',
    lessons.length === 0
      ? 'It has learned nothing yet.'
      : `What it knows (version ${memory.version}):`,
    ...lessons,
  ].join('\n');
}

function versionText({ version, why, lessons, barrier }: PersonaMemory): string {
  const at = barrier === '' ? '' : `, at ${clean(barrier)}`;
  return `version ${version}: ${why}${at}, ${lessons.length} lessons`;
}

function percent(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(100 * rate)} %`;
}
