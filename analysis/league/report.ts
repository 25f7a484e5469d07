/** The report of a league: its standings, its personas with their lessons, and their games. */

import { auditLeague } from '../../actors/league/impossible.ts';
import { journalPath } from '../../actors/league/journals.ts';
import { expectMemory, readMemory } from '../../actors/league/knowledge.ts';
import {
  type LeagueMember,
  type LeaguePlan,
  personaNameOf,
  scheduleLeague,
} from '../../actors/league/plan.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { StoreDamaged } from '../../actors/stores/errors.ts';
import { type PersonaMemory, personaId } from '../../actors/stores/persona.ts';
import { describePersona, type GameResult } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import type { Seat } from '../../machines/types.ts';
import { countStandings } from './standings.ts';
import { LOST_COUNT } from './verify.ts';

type ReportedGame = {
  readonly slot: number;
  readonly winner: 'crew' | 'impostors' | null;
  readonly reason: string;
  readonly rounds: number;
  readonly meetings: number;
  readonly seats: readonly (Seat & { readonly id: string; readonly won: boolean })[];
  readonly journal: string | null;
  /** The turning point, from the `why` result beside the journal. */
  readonly turn?: {
    readonly at: string;
    readonly when: string;
    /** The crew's chance before and after, from 0 to 1. */
    readonly from: number;
    readonly to: number;
    readonly what: string;
  };
};

const RECENT = 30;
/** Versions of memories on a page, divided among the personas, with a minimum for each. */
const VERSIONS = 1500;
const FEWEST_VERSIONS = 10;

export async function reportLeague(store: Store, plan: LeaguePlan, folder: string) {
  const { league, engine } = plan;
  const { results, notes } = await readSoundResults(store, plan);
  const personas: ReportedPersona[] = [];
  const most = Math.max(FEWEST_VERSIONS, Math.floor(VERSIONS / league.personas.length));
  for (const member of league.personas)
    personas.push(await reportPersona(store, member, { league: league.name, most }));
  return {
    about: league.about,
    players: league.players,
    rules: league.rules,
    seating: league.seating,
    isMirrored: league.mirror,
    isLearning: league.learning,
    seed: league.seed,
    engine,
    standings: countStandings(plan, scheduleLeague(plan), results),
    personas,
    /** Sentences about damaged results, which are left out. */
    damages: notes.map(({ text }) => text),
    /** The latest games of every persona, and the sources of lessons; the latest first. */
    games: listGames(results, personas).map((result): ReportedGame => {
      const { slot, winner, reason, rounds, meetings } = result;
      const seats = result.seats.map(({ colour, role, model, persona, won }) => {
        return { colour, role, id: personaId({ model, name: persona }), won };
      });
      const path = journalPath(folder, slot, league.games);
      const journal = realDisk.has(path) ? path : null;
      return { slot, winner, reason, rounds, meetings, seats, journal };
    }),
  };
}

type ReportedPersona = Awaited<ReturnType<typeof reportPersona>>;

async function reportPersona(
  store: Store,
  member: LeagueMember,
  within: { readonly league: string; readonly most: number },
) {
  const persona = personaNameOf(member);
  const id = personaId(persona);
  const memory = await readMemory(store, id);
  const career = await store.career(id);
  if (career === null) {
    const text = `the league ${JSON.stringify(within.league)} was begun with ${id}, and the store has no such persona`;
    throw new StoreDamaged(text);
  }
  const document = describePersona(career, memory);
  const history = (await store.history(id)).map((one) => expectMemory(id, one));
  const versions = listVersions(history, within.league).slice(0, within.most);
  return {
    id,
    ...persona,
    temperament: member.temperament,
    level: member.level,
    character: member.character ?? null,
    voice: member.voice ?? null,
    learns: member.learns,
    /** Over all leagues of the store. A rate is null without a game. */
    career: {
      games: document.games_played,
      seats: document.seats_played,
      all: document.win_rate,
      impostor: document.impostor_win_rate,
      crewmate: document.crewmate_win_rate,
    },
    lessons: memory.lessons.map((lesson) => placeLesson(lesson, within.league)),
    versions,
    earlier: history.length - versions.length,
  };
}

/** The latest first. */
function listVersions(history: readonly PersonaMemory[], league: string) {
  return history
    .map(({ version, why, barrier, lessons }, index) => {
      const before = history[index - 1]?.lessons ?? [];
      const added = lessons.filter(({ text }) => before.every((one) => one.text !== text));
      const dropped = before.filter(({ text }) => lessons.every((one) => one.text !== text));
      return {
        version,
        why,
        barrier,
        added: added.map((lesson) => placeLesson(lesson, league)),
        dropped: dropped.map(({ text }) => text),
      };
    })
    .toReversed();
}

/** `slot` is the game of this league that taught the lesson; null for another source. */
function placeLesson({ text, from }: PersonaMemory['lessons'][number], league: string) {
  const [, name, game] = /^(.*), game (\d+), as \w+$/s.exec(from) ?? [];
  return { text, from, slot: name === league ? Number(game) - 1 : null };
}

function listGames(
  results: readonly GameResult[],
  personas: readonly ReportedPersona[],
): readonly GameResult[] {
  const lessons = personas.flatMap(({ lessons: own, versions }) => [
    ...own,
    ...versions.flatMap(({ added }) => added),
  ]);
  const wanted = new Set(lessons.map(({ slot }) => slot));
  const seen = new Map<string, number>();
  return results.toReversed().filter((result) => {
    const ids = new Set(
      result.seats.map(({ model, persona }) => personaId({ model, name: persona })),
    );
    const isRecent = [...ids].some((id) => (seen.get(id) ?? 0) < RECENT);
    for (const id of ids) seen.set(id, (seen.get(id) ?? 0) + 1);
    return isRecent || wanted.has(result.slot);
  });
}

async function readSoundResults(store: Store, plan: LeaguePlan) {
  const { results, damages, missing } = await auditLeague(store, plan);
  if (missing === 0) return { results, notes: damages };
  const text = `results that were recorded and are not there: ${missing}`;
  const gone = missing === null ? LOST_COUNT : { code: 'league/missing-result', text };
  return { results, notes: [...damages, gone] };
}

export async function readStandings(store: Store, plan: LeaguePlan) {
  const { results, notes } = await readSoundResults(store, plan);
  return { standings: countStandings(plan, scheduleLeague(plan), results), damages: notes };
}
