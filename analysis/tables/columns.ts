/**
 * The tables and their columns. Row types, Parquet schemas, the data dictionary and docs/tables.md derive from this
 * list. Meetings count from 1, and ticks, turns and rounds from 0. Unknown and absent values are null.
 */

import { SCORE_TERMS, type ScoreRow } from '../../machines/rules/scoreTerms.ts';

export type ColumnType = 'text' | 'whole' | 'number' | 'flag';

export type ColumnSpec<Type extends ColumnType = ColumnType> = {
  readonly type: Type;
  readonly about: string;
  readonly unit: string | null;
};

const column =
  <Type extends ColumnType>(type: Type) =>
  (about: string, unit: string | null = null): ColumnSpec<Type> => ({ type, about, unit });
const text = column('text');
const whole = column('whole');
const number = column('number');
const flag = column('flag');

const MEETING = whole('which meeting of the game');
const TICK = whole('the tick of the meeting');
const ROUND = whole('the round of the game', 'rounds of 2.5 s');
const KIND = text('the kind of request: discussion, voting, reaction, consolidation or ghost');

export const SOURCE_COLUMNS = {
  journal: text(
    'the file of the journal without its folder; if two agree, with # and digits of a hash of its lines',
  ),
  line: whole('the line of that file that the row is from, counted from 1'),
  hash: text('the hash of that line'),
} as const;

const table = <Columns extends Readonly<Record<string, ColumnSpec>>>(
  about: string,
  columns: Columns,
) => ({ about, columns });

type Underscored<Label> = Label extends `${infer First} ${infer Last}` ? `${First}_${Last}` : Label;
type PointColumn = `${Underscored<ScoreRow['label']>}_points`;

/** A term of the score by its label, as a word: "addressed", "just_spoke". */
export const nameTerm = ({ label }: Pick<ScoreRow, 'label'>) => label.replace(' ', '_');

export function mapPoints<T>(value: (row: ScoreRow) => T): Readonly<Record<PointColumn, T>>;
export function mapPoints(value: (row: ScoreRow) => unknown): object {
  return Object.fromEntries(SCORE_TERMS.map((row) => [`${nameTerm(row)}_points`, value(row)]));
}

export const TABLES = {
  games: table('One row for each journal: a game, or a meeting on its own.', {
    kind: text('game or meeting'),
    seed: whole('the seed of all chance'),
    name: text('the name of the match'),
    rules: text('house or classic'),
    map: text('the ship; null for a meeting on its own without one'),
    players: whole('seats', 'players'),
    impostors: whole('seats of impostors', 'players'),
    rounds: whole('rounds that were played', 'rounds of 2.5 s'),
    meetings: whole('meetings that were called', 'meetings'),
    winner: text('crew or impostors; null where no side has won'),
    reason: text('why it ended; null while it goes on and for a meeting on its own'),
    ended: flag('whether the journal goes to the end of the match'),
    options: text('all options, as JSON'),
    living_hash: text('the hash of the last line of the living'),
    ghosts_hash: text('the hash of the last line of the ghosts'),
  }),
  seats: table('One row for each player of a journal.', {
    seat: text('the colour'),
    place: whole('the place in the lobby, from 0'),
    role: text('crewmate or impostor'),
    persona: text('the name of the persona'),
    mind: text('the mind: scripted, openai, human, …'),
    model: text('the language model'),
    fate: text('alive, killed, ejected, left, or dead from the start'),
    fate_round: whole('the round of a kill or departure on the ship'),
    fate_meeting: whole('the meeting of an ejection or departure at the table'),
    won: flag('whether the side of the player has won; null where no side has'),
  }),
  rounds: table('One row for each round on the ship.', {
    round: ROUND,
    meetings: whole('meetings before this round', 'meetings'),
    living: whole('players alive when it was over', 'players'),
    orders: whole('orders from players', 'orders'),
    faults: whole('players who were asked and gave none', 'players'),
    kills: whole('kills', 'kills'),
    vents: whole('uses of vents', 'uses'),
    task_steps: whole('steps of tasks that were finished', 'steps'),
  }),
  orders: table('One row for each player who was asked for an order in a round.', {
    round: ROUND,
    seat: text('the player'),
    role: text('crewmate or impostor'),
    intent: text('the intent of the player; null to continue as before'),
    target: text('place, task, player, system or number of a vent in the intent'),
    thought: text('the private thought'),
    fault: text('the code of the fault where no order came'),
    notes: text('codes of corrections to the reply, separated by blanks'),
  }),
  events: table('One row for each event on the ship, in the order of its resolution.', {
    round: ROUND,
    index: whole('its place in the round, from 0'),
    type: text('player.killed, vent.used, task.stepped, …, as in the journal'),
    seat: text('who did it'),
    other: text('the victim of a kill'),
    place: text('where'),
    what: text('the task, system, room, vent, intent or code'),
    done: flag('of a task: whether this was its last step'),
  }),
  sightings: table('One row for each player whom a living player saw in a round.', {
    round: ROUND,
    seat: text('who saw'),
    who: text('who was seen'),
    place: text('where'),
    did: text('the visible deed'),
  }),
  meetings: table('One row for each meeting that was called.', {
    meeting: MEETING,
    round: whole('rounds that were played before it', 'rounds of 2.5 s'),
    by: text('the caller'),
    kind: text('body or button'),
    body: text('the reported body'),
    place: text('the place of the body'),
    living: whole('players alive as it was called', 'players'),
    ticks: whole('ticks of talk', 'ticks'),
    messages: whole('messages that were heard while there was talk', 'messages'),
    ballots: whole('ballots that were revealed and counted', 'ballots'),
    skips: whole('of these, to skip', 'ballots'),
    outcome: text('ejected, tie, skipped, …; null where the journal ends before'),
    ejected: text('who was ejected'),
    ejected_role: text('their role'),
  }),
  ticks: table('One row for each tick of a meeting.', {
    meeting: MEETING,
    tick: TICK,
    phase: text('the phase of the meeting'),
    request_kind: KIND,
    asked: whole('players who were asked', 'players'),
    faults: whole('of these, players without a readable reply', 'players'),
    floor: text('who got the floor'),
    tie: text('what decided between equal totals'),
    decided_by: text(
      'terms without which another player had won; longest_silent or not_longest_silent, and highest_desire or not_highest_desire, if one player alone was that and won or not; null with fewer than two bids that could win',
    ),
    nudge: text('the reason for the nudge to finish'),
  }),
  bids: table('One row for each player who was asked in a tick, or in a turn of the ghosts.', {
    channel: text('living or ghosts'),
    meeting: MEETING,
    tick: whole('the tick of the meeting, or the turn of the ghosts'),
    request_kind: KIND,
    seat: text('the player'),
    role: text('crewmate or impostor'),
    desire: whole('desire to speak', '0 to 10'),
    message: text('the message that the player offers'),
    target: text('whom it is addressed to'),
    vote: text('the vote that came with it: a player or skip'),
    thought: text('the private thought'),
    fault: text('the code of the fault where no bid came'),
    notes: text('codes of corrections to the reply, separated by blanks'),
    total: number('the priority that the arbiter gave it; null where it gave none', 'points'),
    ...mapPoints(({ label }) => number(`of the total: ${label}`, 'points')),
    silent_ticks: whole('ticks since the player last spoke', 'ticks'),
    has_voted: flag('whether the player had voted before'),
    called_on: flag('whether the player was called on'),
    eligible: flag('whether the bid took part'),
    won: flag('whether it got the floor'),
    attempts: text(
      'attempts at prompt injection in the message, heard or not: kinds, separated by blanks; null for faults and outside the talk',
    ),
    reveals: text(
      'leaks: self, partner or thought of a heard message, and cut for a cut thought, separated by blanks; null as in attempts',
    ),
  }),
  messages: table('One row for each message that was heard, at the table or among the ghosts.', {
    channel: text('living or ghosts'),
    meeting: MEETING,
    tick: whole('the tick of the meeting, or the turn of the ghosts'),
    request_kind: KIND,
    speaker: text('who spoke; system for the nudge'),
    role: text('the role of the speaker'),
    target: text('whom it was addressed to'),
    message: text('the words'),
    characters: whole('its length', 'characters'),
  }),
  mentions: table(
    'One row for each player whom a message names or addresses, as the arbiter reads it. Accusations are in claims.',
    {
      meeting: MEETING,
      tick: TICK,
      speaker: text('who spoke'),
      seat: text('who was named'),
      kind: text('mention or addressed'),
      word: text('the name as it was written'),
      reason: text('addressed: target, or the word that makes it so'),
    },
  ),
  claims: table(
    'One row for each claim that a message makes, as far as the reader understands it (docs/deduction.md says how well). Claims of places are compared with the true places.',
    {
      meeting: MEETING,
      tick: TICK,
      type: text('place, company, task, accusation, defence, vent or act'),
      by: text('who claims it'),
      by_role: text('their role'),
      about: text('of whom it is claimed'),
      about_role: text('the role of that player'),
      with: text('company: with whom'),
      act: text('act: the claimed act'),
      place: text('place: the claimed place'),
      ago: number('place: how long before the call; null where no time was given', 'seconds'),
      truth: text('place: true, false or unverifiable'),
      places: text('place: the true places in that time, in order, separated by "; "'),
    },
  ),
  ballots: table('One row for each revealed ballot.', {
    meeting: MEETING,
    index: whole('its place in the reveal, from 0'),
    voter: text('whose it is, even if votes are anonymous'),
    voter_role: text('their role'),
    ballot: text('the player it is for, or skip'),
    ballot_role: text('the role of that player'),
    void: flag('whether it did not count because its target had left'),
    locked_tick: whole('the tick that locked it'),
  }),
  beliefs: table(
    'With --beliefs: one row for each player who was asked and each other living player: how probably the other one is an impostor (docs/deduction.md).',
    {
      meeting: MEETING,
      moment: text(
        'call: before a word was said; tick: after that tick; vote: the poll was closed',
      ),
      tick: whole('the tick after which it was asked; null at call and vote'),
      round: whole('rounds that were played before the meeting', 'rounds of 2.5 s'),
      seat: text('who believes'),
      role: text('their role'),
      about: text('the other player'),
      probability: number('of being an impostor; null where none came', '0 to 1'),
      impostor: flag('whether that player is an impostor'),
      source: text('who answered: scripted, model or own'),
      fault: text('the code of the fault where no probability came'),
    },
  ),
  calls: table('One row for each request that was made to a language model.', {
    id: whole('its number in the match'),
    seat: text('the player'),
    request_kind: text('the kind of request'),
    index: whole('the tick, turn or round'),
    mode: text('the mode of the request for an object'),
    ms: number('duration', 'milliseconds'),
    prompt_tokens: whole('tokens of the prompt, as the endpoint counts', 'tokens'),
    cached_tokens: whole('of these, from its cache', 'tokens'),
    completion_tokens: whole('tokens of the answer', 'tokens'),
    dollars: number('cost, as the endpoint says', 'dollars'),
    failure: text('the problem; null for an answer'),
    repaired: flag('whether the answer needed a repair to become JSON'),
  }),
  counterfactuals: table(
    'One row for each question that `why` has answered (NAME.why.json beside the journal).',
    {
      id: text('the question'),
      what: text('the change: messages, ballots, bids, kills or claims'),
      by: text('the replacement: silence, truth or skip'),
      seat: text('whose it is'),
      meeting: MEETING,
      tick: TICK,
      round: ROUND,
      words: text('the original words or deed'),
      instead: text('the replacement in words'),
      until: text('how far it was played'),
      continued: text('the minds that continued: minds or stand-ins'),
      models: text('models that were asked again, by seat; null where none was'),
      samples: whole('pairs of matches, one without the change and one with it', 'pairs'),
      winner_changed: number('share of these with another winner', '0 to 1'),
      ejected_changed: number('share of these with another ejection by the meeting', '0 to 1'),
      ballots_changed: number('other ballots of the meeting that differ, on average', 'ballots'),
      rounds_longer: number('additional rounds of the match, on average', 'rounds of 2.5 s'),
      suspicion_shifted: number(
        'the greatest change of a suspicion before the reveal, on average; null if nobody was asked',
        '0 to 1',
      ),
    },
  ),
  deductions: table(
    'With --deduce: one row for each meeting, crewmate and other player, with the odds by the knowledge of the crewmate (docs/deduction.md).',
    {
      meeting: MEETING,
      seat: text('the crewmate'),
      suspect: text('the other player'),
      odds: number('the share of the possible teams with that player', '0 to 1'),
      teams: whole('teams that were possible', 'teams'),
    },
  ),
  judgements: table('With --deduce: one row for each ballot of a crewmate that counted.', {
    meeting: MEETING,
    voter: text('whose ballot it is'),
    ballot: text('the player it is for, or skip'),
    odds: number('the odds of hitting an impostor', '0 to 1'),
    regret: number('the odds of the best ballot minus its own', '0 to 1'),
    error: flag('whether the player was provably innocent'),
  }),
  information: table(
    'With --deduce: one row for each message with claims of places, kills or vents, and its value to honest listeners.',
    {
      meeting: MEETING,
      tick: TICK,
      speaker: text('who spoke'),
      role: text('the role of the speaker'),
      claims: whole('such claims in it', 'claims'),
      bits: number('how much it narrows the possible teams, on average', 'bits'),
    },
  ),
  requests: table(
    'With --only requests: one row for each request whose answer the journal has, with the prompt that this version makes of it.',
    {
      seat: text('the player'),
      request_kind: text(
        'discussion, voting, reaction, consolidation, ghost or action (on the ship)',
      ),
      system: text('the prompt: the instructions'),
      user: text('the prompt: the situation'),
      answer: text('what was received, as JSON; null for a fault'),
    },
  ),
};

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES).filter(isTableName);
/** Prompts are larger than all other tables together, and no report needs them. */
export const REPORTED: readonly TableName[] = TABLE_NAMES.filter((name) => name !== 'requests');

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(TABLES, name);
}

type ValueOf<Spec> =
  Spec extends ColumnSpec<infer Type>
    ? { text: string; whole: number; number: number; flag: boolean }[Type]
    : never;

export type RowOf<Name extends TableName> = {
  readonly [Column in keyof (typeof TABLES)[Name]['columns']]: ValueOf<
    (typeof TABLES)[Name]['columns'][Column]
  > | null;
};

export type CellValue = string | number | boolean | null;
export type TableRow = Readonly<Record<string, CellValue>>;

export function columnsOf(name: TableName): readonly (ColumnSpec & { readonly name: string })[] {
  const columns: Readonly<Record<string, ColumnSpec>> = {
    ...SOURCE_COLUMNS,
    ...TABLES[name].columns,
  };
  return Object.entries(columns).map(([column, spec]) => ({ name: column, ...spec }));
}
