/** A league for the page that shows it: its standings, who plays in it, what they have learned, and their games. */
import { existsSync } from 'node:fs';
import { fixturesOf, type Member, type Plan, personaOf } from '../../actors/league/plan.ts';
import { BLANK_MEMORY, type PersonaMemory, personaId } from '../../actors/stores/persona.ts';
import { describePersona, type GameResult } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import type {
  Game,
  League,
  Lesson,
  Persona,
  Version,
} from '../../visualizer/page/league/league.ts';
import { journalIn } from './journals.ts';
import { standingsOf } from './standings.ts';

/** Games that are listed of each persona. */
const RECENT = 30;
/** Versions of memories in a page, shared out among all personas, but never fewer than some of each. */
const VERSIONS = 1500;
const FEWEST_VERSIONS = 10;

/** Everything that the page shows; `folder` is where the journals are. */
export async function leagueIn(store: Store, plan: Plan, folder: string): Promise<League> {
  const { league, engine } = plan;
  const results: GameResult[] = [];
  for await (const result of store.results(league.name)) results.push(result);
  const personas: Persona[] = [];
  const most = Math.max(FEWEST_VERSIONS, Math.floor(VERSIONS / league.personas.length));
  for (const member of league.personas)
    personas.push(await personaIn(store, member, { league: league.name, most }));
  return {
    about: league.about,
    players: league.players,
    rules: league.rules,
    seating: league.seating,
    isMirrored: league.mirror,
    isLearning: league.learning,
    seed: league.seed,
    engine,
    standings: standingsOf(plan, fixturesOf(plan), results),
    personas,
    games: listed(results, personas).map((result) => gameOf(result, folder, league.games)),
  };
}

type Within = { readonly league: string; readonly most: number };

async function personaIn(store: Store, member: Member, within: Within): Promise<Persona> {
  const persona = personaOf(member);
  const id = personaId(persona);
  const memory = (await store.memory(id)) ?? BLANK_MEMORY;
  const career = (await store.career(id)) ?? { persona, counters: {} };
  const document = describePersona(career, memory);
  const history = await store.history(id);
  const versions = versionsOf(history, within.league).slice(0, within.most);
  return {
    id,
    ...persona,
    temperament: member.temperament,
    level: member.level,
    character: member.character ?? null,
    voice: member.voice ?? null,
    learns: member.learns,
    career: {
      games: document.games_played,
      all: document.win_rate,
      impostor: document.impostor_win_rate,
      crewmate: document.crewmate_win_rate,
    },
    lessons: memory.lessons.map((lesson) => placed(lesson, within.league)),
    versions,
    earlier: history.length - versions.length,
  };
}

/** What each version changed, the latest first. */
function versionsOf(history: readonly PersonaMemory[], league: string): readonly Version[] {
  return history
    .map(({ version, why, barrier, lessons }, index) => {
      const before = history[index - 1]?.lessons ?? [];
      const added = lessons.filter(({ text }) => before.every((one) => one.text !== text));
      const dropped = before.filter(({ text }) => lessons.every((one) => one.text !== text));
      return {
        version,
        why,
        barrier,
        added: added.map((lesson) => placed(lesson, league)),
        dropped: dropped.map(({ text }) => text),
      };
    })
    .toReversed();
}

/** Finds the game in the words that say where a lesson came from. */
function placed({ text, from }: PersonaMemory['lessons'][number], league: string): Lesson {
  const [, name, game] = /^(.*), game (\d+), as \w+$/s.exec(from) ?? [];
  return { text, from, slot: name === league ? Number(game) - 1 : null };
}

/** The latest games of everybody, and those that lessons came from; the latest first. */
function listed(
  results: readonly GameResult[],
  personas: readonly Persona[],
): readonly GameResult[] {
  const lessons = personas.flatMap(({ lessons: own, versions }) => [
    ...own,
    ...versions.flatMap(({ added }) => added),
  ]);
  const wanted = new Set(lessons.map(({ slot }) => slot));
  const seen = new Map<string, number>();
  return results.toReversed().filter((result) => {
    const ids = new Set(idsIn(result));
    const isRecent = [...ids].some((id) => (seen.get(id) ?? 0) < RECENT);
    for (const id of ids) seen.set(id, (seen.get(id) ?? 0) + 1);
    return isRecent || wanted.has(result.slot);
  });
}

function idsIn({ seats }: GameResult): readonly string[] {
  return seats.map(({ model, persona }) => personaId({ model, name: persona }));
}

function gameOf(result: GameResult, folder: string, games: number): Game {
  const { slot, winner, reason, rounds, meetings, seats } = result;
  const journal = journalIn(folder, slot, games);
  return {
    slot,
    winner,
    reason,
    rounds,
    meetings,
    seats: seats.map(({ colour, role, model, persona, won }) => ({
      colour,
      role,
      id: personaId({ model, name: persona }),
      won,
    })),
    journal: existsSync(journal) ? journal : null,
  };
}
