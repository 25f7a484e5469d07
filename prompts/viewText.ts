/** The transcript: a line of JSON for each message, in a block of its own that is written once. */

import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import type { AnnouncedResult, OwnPast } from '../machines/rules/record.ts';
import type { MemoryEntry } from '../machines/rules/ship/sight.ts';
import type { ActionView } from '../machines/rules/ship/views.ts';
import type { GalleryLine, PublicTable, Self, TableView } from '../machines/rules/views.ts';
import { listWords } from '../machines/text.ts';
import {
  type Ballot,
  type Brief,
  type Colour,
  type Deed,
  MOST_LESSONS,
  type Note,
  type Outcome,
  type Pads,
  type Persona,
  type Place,
  type Sighting,
  type Utterance,
} from '../machines/types.ts';
import { type Block, createStableBlock, remember, writeSection } from './block.ts';
import { ADVICE, ADVICE_AT_TABLE, type Identity, KNOWLEDGE, REMINDERS, TERMS } from './personas.ts';
import { writeCall, writeVotes } from './recordText.ts';

/** The transcript so far, before `TRANSCRIPT_END`. Ghost chat appears at its place in the meeting. */
export const writeTranscript = remember(
  (transcript: readonly Utterance[], chat: readonly GalleryLine[] = []): readonly Block[] => {
    const ghostsAfter = (heard: number) =>
      chat
        .filter((line) => line.heard === heard)
        .map((line) => `{"ghost":"${line.speaker}","message":${JSON.stringify(line.message)}}`);
    const lines = [
      ...ghostsAfter(0),
      ...transcript.flatMap((said, index) => [writeUtterance(said), ...ghostsAfter(index + 1)]),
    ];
    return [
      createStableBlock('{"transcript": ['),
      ...lines.map((line, index) => createStableBlock(`${index === 0 ? '' : ','}\n${line}`)),
    ];
  },
);

export const TRANSCRIPT_END = '\n]}';

/** Keys in the order of the design. Only the message is a player's own text, and it cannot leave its quotes. */
const writeUtterance = remember(({ speaker, target, message, tick: t }: Utterance) => {
  const addressed = target === null ? '' : `"target":"${target}",`;
  return `{"speaker":"${speaker}",${addressed}"message":${JSON.stringify(message)},"t":${t}}`;
});

/** The call. The text stays the same for every player and tick. Ghosts also get the roles. */
export function writeOpening(
  call: PublicTable['call'],
  reveal: Pick<PublicTable, 'confirmEjects' | 'anonymousVotes'> | null,
): string {
  return writeSection('The engine', [
    `Meeting called: ${writeCall(call)}.`,
    ...(reveal === null
      ? []
      : [
          `The reveal ${reveal.anonymousVotes ? 'does not say' : 'says'} who voted for whom, and ${reveal.confirmEjects ? '' : 'not '}whether the ejected player was an impostor.`,
        ]),
  ]);
}

/** The living, and who has voted in this tick. Once the result is announced, without the ejected player. */
export function writePresence({ seats, announced }: TableView, ballot: Ballot | null): string {
  const presence = writeSeats(seats, announced?.ejected ?? null);
  return ballot === null ? presence : `${presence}\nYour own vote: ${ballot}`;
}

const writeSeats = remember((seats: TableView['seats'], ejected: Colour | null) => {
  const those = (test: (seat: (typeof seats)[number]) => boolean) =>
    seats.filter(test).map(({ colour }) => colour);
  return writeSection('The engine', [
    `Living: ${those(({ colour, standing }) => standing === 'living' && colour !== ejected).join(', ') || 'nobody'}`,
    writeLabelled('Ejected', ejected ?? ''),
    writeLabelled('Dead', those(({ standing }) => standing === 'dead').join(', ')),
    writeLabelled('Gone', those(({ standing }) => standing === 'departed').join(', ')),
    writeLabelled('Have voted', those(({ voted }) => voted).join(', ')),
  ]);
});

export function writeReveal(told: AnnouncedResult | null): string {
  if (told === null)
    return writeSection('The engine: the result', ['The meeting ended without a count.']);
  return writeSection('The engine: the reveal', [
    writeVotes(told, '(void: they left)') || 'Nobody had voted.',
    told.sentence ?? NO_SENTENCE[told.outcome] ?? STOPPED,
  ]);
}

const NO_SENTENCE: Partial<Readonly<Record<Outcome, string>>> = {
  empty: 'No one was ejected: nobody was left alive.',
  refused: 'There was no meeting.',
};
const STOPPED = 'No one was ejected: the meeting was stopped.';

/* Sightings with dates, oldest first, one line for each time and place. */

/** In seconds: of the game on the ship, before now, or before the meeting. */
type DatedSighting = MemoryEntry;

const DOING: Readonly<Record<Deed, string>> = {
  passing: '',
  task: 'at a task',
  visual: 'doing a task that nobody can fake',
  lurking: 'idle',
  fixing: 'fixing the sabotage',
  watching: 'watching the screens',
  vent: 'using a vent',
  kill: 'killing a player',
  dead: 'lying dead',
};

/** The memory in seconds before `round`. */
export function dateMemory(memory: readonly MemoryEntry[], round: number) {
  return memory.map((seen) => dateEntry(seen, (at) => round - at));
}

/** The memory, ordered by the end of each sight, so that finished entries keep their place. */
function clockMemory(memory: readonly MemoryEntry[]): readonly DatedSighting[] {
  return memory
    .map((seen) => dateEntry(seen, (at) => at))
    .toSorted((a, b) => a.until - b.until || a.from - b.from);
}

function dateEntry({ from, until, who, place, did }: MemoryEntry, date: (round: number) => number) {
  const [begun, ended] = [date(from) * SECONDS_PER_ROUND, date(until) * SECONDS_PER_ROUND];
  return { from: begun, until: ended, who, place, did };
}

export function dateBrief(sightings: readonly Sighting[]): readonly DatedSighting[] {
  return sightings.map(({ ago, ...seen }) => ({ ...seen, from: ago, until: ago }));
}

/** The player's own way in one line, then whom the player saw, by the age of each sighting. */
export function listSightings(seen: readonly DatedSighting[], you: Colour): readonly string[] {
  return listScenes(
    seen.toSorted((a, b) => b.from - a.from || b.until - a.until),
    you,
  );
}

function listScenes(seen: readonly DatedSighting[], you: Colour): readonly string[] {
  const way: string[] = [];
  const scenes = new Map<string, Map<Deed, string>>();
  let before: Place | null = null;
  for (const one of seen) {
    const { who, place, did } = one;
    if (who !== you) {
      const where = `${writeTime(one)} ${place}`;
      const deeds = scenes.get(where) ?? new Map<Deed, string>();
      scenes.set(where, deeds);
      const others = deeds.get(did);
      deeds.set(did, others === undefined ? who : `${others}, ${who}`);
    } else if (did !== 'lurking') {
      if (did !== 'passing' || before !== place) way.push(writeStep(one, before));
      before = place;
    }
  }
  const lines = way.length === 0 ? [] : [`Your way: ${way.join('; ')}`];
  if (scenes.size > 0) lines.push('Whom you saw:');
  for (const [where, deeds] of scenes) {
    const people = [...deeds].map(([did, who]) =>
      did === 'passing' ? who : `${who} ${DOING[did]}`,
    );
    lines.push(`${where}: ${people.join('; ')}`);
  }
  return lines;
}

/** "50 Admin", then "47.5 at a task" in the same place. The headings name the unit. */
function writeStep(seen: DatedSighting, before: Place | null): string {
  const { place, did } = seen;
  const what = [before === place ? '' : place, DOING[did]].filter((words) => words !== '');
  return `${writeTime(seen)} ${what.join(', ')}`;
}

function writeTime({ from, until }: DatedSighting): string {
  return from === until ? `${from}` : `${from} to ${until}`;
}

/* The private part of a prompt: identity, knowledge and notes. It comes last. */

export type PromptPlayer = Pick<Self, 'colour' | 'role' | 'partners' | 'persona'>;

export function writeRole({ colour, role }: Pick<PromptPlayer, 'colour' | 'role'>): string {
  return `You are ${colour}, ${role === 'impostor' ? 'an impostor' : 'a crewmate'}.`;
}

/** `death` tells a ghost how they died. */
export function writeSelf(player: PromptPlayer, identity: Identity, death = ''): string {
  const known = [writeRole(player), writePartners(player), death];
  const role = known.filter((sentence) => sentence !== '').join(' ');
  return writeIdentity(identity, role, player.persona);
}

const writeIdentity = remember((identity: Identity, role: string, persona: Persona) => {
  const { character, voice, level, learned } = identity;
  const lessons = learned.slice(-MOST_LESSONS);
  return writeSection('You (private)', [
    role,
    writeLabelled('How to play', instruct(character)),
    writeLabelled('How to speak', instruct(voice)),
    writeLabelled('About you', persona.notes),
    persona.language === undefined ? '' : `Write in ${persona.language}.`,
    level === 'none' ? '' : `Strategy: ${KNOWLEDGE[level]}`,
    writeLabelled('In other words', TERMS[level] ?? ''),
    lessons.length === 0 ? '' : 'What you learned in earlier games:',
    ...lessons.map((lesson) => `- ${lesson}`),
  ]);
});

/** "You listen first." becomes "Listen first.", which small models do not repeat as a message. */
function instruct(words: string): string {
  return words.replace(/(^|[.!?] )You (are )?(.)/g, (_, before, are, first) =>
    are === undefined ? `${before}${first.toUpperCase()}` : `${before}Be ${first}`,
  );
}

function writePartners({ role, partners }: PromptPlayer): string {
  if (role === 'crewmate') return '';
  return partners.length === 0
    ? 'You are the only impostor.'
    : `Fellow impostor${partners.length === 1 ? '' : 's'}: ${listWords(partners)}.`;
}

function writeLabelled(label: string, words: string): string {
  return words === '' ? '' : `${label}: ${words}`;
}

export function writeImpostorAdvice(
  { role }: PromptPlayer,
  { level }: Identity,
  isAtTable: boolean,
): string {
  if (role !== 'impostor') return '';
  return writeSection('As an impostor', [
    ...(isAtTable ? REMINDERS.map((words) => `- ${words}`) : []),
    level === 'none' ? '' : `Advice: ${(isAtTable ? ADVICE_AT_TABLE : ADVICE)[level]}`,
  ]);
}

export function writeSeenEarlier({ sightings, forgotten }: OwnPast, you: Colour): string {
  return writeSection('What you saw yourself before earlier meetings', [
    forgotten === 0 ? '' : `… ${forgotten} earlier sights left out`,
    ...listSeenEarlier(sightings, you),
  ]);
}

const listSeenEarlier = remember((sightings: OwnPast['sightings'], you: Colour) => {
  const stretches = Map.groupBy(sightings, ({ meeting }) => meeting);
  return [...stretches].flatMap(([meeting, seen]) => [
    `Seconds before meeting ${meeting}:`,
    ...listSightings(
      dateBrief(seen.filter(({ who, did }) => who !== you || did !== 'passing')),
      you,
    ),
  ]);
});

export function writeSeenOnShip(
  { memory, faded }: Pick<ActionView['you'], 'memory' | 'faded'>,
  you: Colour,
): string {
  const entries = [...faded, ...memory];
  const lines = entries.length === 0 ? ['Nothing.'] : listScenes(clockMemory(entries), you);
  return writeSection('What you saw yourself (seconds of the game)', lines);
}

export const writeSeen = remember(({ sightings, notes }: Brief, you: Colour) =>
  writeSection('What you saw yourself (seconds before the meeting)', [
    ...(sightings.length === 0 ? ['Nothing.'] : listSightings(dateBrief(sightings), you)),
    writeLabelled('Also', notes),
  ]),
);

export const writePads = remember(({ main: main_scratch, meeting: meeting_scratch }: Pads) => {
  const written = Object.entries({ main_scratch, meeting_scratch }).filter(
    ([, page]) => page !== '',
  );
  return writeSection(
    'Your notes',
    written.length === 0 ? [] : [JSON.stringify(Object.fromEntries(written))],
  );
});

export function writeNotices(notices: readonly Note[]): string {
  return writeSection(
    'The engine to you',
    notices.map(({ text }) => `- ${text}`),
  );
}
