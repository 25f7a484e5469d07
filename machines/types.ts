/**
 * The words of the game: every list that the rules, the machines and the wire share.
 *
 * Lists come first and types are read off them, so that what runs and what is checked cannot disagree. This file
 * imports nothing.
 */

/** Player colours in lobby order. The order is presentation only: no rule may prefer an earlier colour. */
export const COLOURS = [
  'red',
  'blue',
  'green',
  'pink',
  'orange',
  'yellow',
  'black',
  'white',
  'purple',
  'brown',
  'cyan',
  'lime',
  'maroon',
  'rose',
  'banana',
  'gray',
  'tan',
  'coral',
] as const;
export type Colour = (typeof COLOURS)[number];

/** The reserved speaker of the nudge. No seat may bear this name (ruling 34). */
export const SYSTEM = 'system';
/** The words of the nudge, spoken by System. */
export const NUDGE = 'wrap it up';

export const ROLES = ['crewmate', 'impostor'] as const;
export type Role = (typeof ROLES)[number];

/** `house` is the vote-when-ready design; `classic` is Among Us: talk without votes, then timed voting. */
export const RULE_SETS = ['house', 'classic'] as const;
export type RuleSet = (typeof RULE_SETS)[number];

export const PHASES = [
  'interrupt',
  'discussion',
  'voting',
  'reveal',
  'reaction',
  'consolidation',
] as const;
export type Phase = (typeof PHASES)[number];

/** What a mind is asked for. A tick of any occasion but `ghost` belongs to the living. */
export const REQUEST_KINDS = [
  'discussion',
  'voting',
  'reaction',
  'consolidation',
  'ghost',
] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export const OUTCOMES = [
  'ejected',
  'tie',
  'skipped',
  'empty',
  'unconverged',
  'interrupted',
  'refused',
] as const;
/**
 * How a meeting ended. `empty`: nobody was left alive when the poll closed. `unconverged`: an operator's limit
 * stopped it. `interrupted`: the operator stopped the run. `refused`: the call itself was against the rules.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** A living player is at the table; the dead are ghosts; the departed are gone for the rest of the game. */
export const STANDINGS = ['living', 'dead', 'departed'] as const;
export type Standing = (typeof STANDINGS)[number];

/** What a player locks in: somebody's colour, or the candidate "skip" (ruling 23). */
export type Ballot = Colour | 'skip';

/** One value for each seat at the table. Colours that are not seated have no entry. */
export type BySeat<T> = Readonly<Partial<Record<Colour, T>>>;

/** The fourteen rooms of The Skeld, as players say them. */
export const ROOMS = [
  'Cafeteria',
  'Weapons',
  'O2',
  'Navigation',
  'Shields',
  'Communications',
  'Storage',
  'Admin',
  'Electrical',
  'Lower Engine',
  'Security',
  'Reactor',
  'Upper Engine',
  'MedBay',
] as const;
export type Room = (typeof ROOMS)[number];

/** The seven hallways between them, each a place where one can stand and be met. */
export const HALLWAYS = [
  'MedBay hallway',
  'Engine hallway',
  'Electrical hallway',
  'Admin hallway',
  'Weapons hallway',
  'Navigation hallway',
  'Shields hallway',
] as const;
export type Hallway = (typeof HALLWAYS)[number];

export const PLACES = [...ROOMS, ...HALLWAYS] as const;
export type Place = (typeof PLACES)[number];

/**
 * What somebody was seen doing. `visual` is a task that others can see, which only a crewmate can do; `vent` and
 * `kill` can only be done by an impostor; `dead` is a body. A task that is faked looks like a `task`.
 */
export const DEEDS = [
  'passing',
  'task',
  'visual',
  'lurking',
  'fixing',
  'watching',
  'vent',
  'kill',
  'dead',
] as const;
export type Deed = (typeof DEEDS)[number];

/** One thing a player remembers. `who` may be themselves: that is their own path. */
export type Sighting = {
  /** Seconds before the meeting. */
  readonly ago: number;
  readonly who: Colour;
  readonly place: Place;
  readonly did: Deed;
};

/** What a player knows when the meeting begins: own sightings, and free notes for minds that read prose. */
export type Brief = { readonly sightings: readonly Sighting[]; readonly notes: string };

/** Temperaments of the offline minds. */
export const TEMPERAMENTS = [
  'leader',
  'observer',
  'accuser',
  'joker',
  'follower',
  'sceptic',
  'diplomat',
] as const;
export type Temperament = (typeof TEMPERAMENTS)[number];

/** How much strategy a model is told (ruling 42). */
export const LEVELS = ['none', 'basic', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

/** Who a player is beyond this game. `notes` are private to the player. */
export type Persona = {
  readonly name: string;
  readonly temperament: Temperament;
  readonly notes: string;
};

export type Seat = { readonly colour: Colour; readonly role: Role };

export const CALL_KINDS = ['body', 'button'] as const;
type CallKind = (typeof CALL_KINDS)[number];

/** How the meeting came about. `crisis`, `cooldown` and `buttonsLeft` matter to the button only. */
export type Call = {
  readonly by: Colour;
  readonly kind: CallKind;
  /** The victim whose body was reported; null for a button. */
  readonly body: Colour | null;
  /** Where the body lay; null when nobody said. */
  readonly place: Place | null;
  /** Emergency meetings that the caller has left. */
  readonly buttonsLeft: number;
  /** Seconds until the button works again. */
  readonly cooldown: number;
  /** The sabotage under way, such as "reactor"; null when all is quiet. */
  readonly crisis: string | null;
};

/** The two private notebooks of a player. `meeting` is erased when the meeting ends, `main` is kept. */
export type Pads = { readonly main: string; readonly meeting: string };
export type PadUpdates = Partial<Pads>;

/** Something about a reply that its sender should hear of, with a stable code. */
export type Note = { readonly code: string; readonly text: string };

/** A reply of a mind after it has been read: every field has its type and its range. */
export type Reply = {
  readonly thought: string;
  /** Urgency, a whole number from 0 to 10. */
  readonly desire: number;
  /** What the player would say; '' when there is nothing to say. */
  readonly message: string;
  readonly target: Colour | null;
  readonly vote: Ballot | null;
  readonly pads: PadUpdates;
  readonly notes: readonly Note[];
};

/**
 * What one living player handed in for a tick. `received` is the reply as the mind gave it, before anything was read
 * from it; a fault keeps it too when something arrived.
 */
export type Bid =
  | {
      readonly type: 'reply';
      readonly seat: Colour;
      readonly received: unknown;
      readonly reply: Reply;
    }
  | {
      readonly type: 'fault';
      readonly seat: Colour;
      readonly code: string;
      readonly text: string;
      readonly received?: unknown;
    };

/** The chance of one seat in one tick: a face from 1 to 6, and a draw below 2^32 that settles what is still equal. */
export type Die = { readonly face: number; readonly draw: number };

/** One place where a message names somebody, and why it counts. */
export type Hit = {
  readonly seat: Colour;
  readonly kind: 'mention' | 'accusation';
  /** The word or field that was found: "Red's", "target", "liar". */
  readonly word: string;
  /** In words, for the audit: "whole word in the message", "target field", "same sentence as Red". */
  readonly reason: string;
};

/** A line of the transcript. `t` is the tick in which it was published, from 0. */
export type Utterance = {
  readonly tick: number;
  readonly speaker: Colour | typeof SYSTEM;
  readonly target: Colour | null;
  readonly message: string;
};

/** The priority of one bid, kept term by term. The total is their sum; penalties are stored as negative terms. */
export type Score = {
  readonly seat: Colour;
  readonly desire: number;
  readonly mention: number;
  readonly accusation: number;
  readonly silence: number;
  readonly die: number;
  readonly recentSpeaker: number;
  readonly voted: number;
  readonly total: number;
  /** Ticks since this player last spoke. */
  readonly silentTicks: number;
  /** Had locked a ballot before the tick; settles ties even where the penalty is 0. */
  readonly hasVoted: boolean;
  /** The silence boost alone outweighs every rival: even a blank bid competes now (ruling 9). */
  readonly calledOn: boolean;
  /** Whether this bid can win the floor in this tick. */
  readonly eligible: boolean;
};

/** What decided between equal totals, in the order in which it is tried (ruling 5). */
export const TIE_BREAKS = ['silence', 'unvoted', 'draw'] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export const NUDGE_REASONS = ['ticks', 'tokens'] as const;
export type NudgeReason = (typeof NUDGE_REASONS)[number];

/** What the arbiter decided about one tick. */
export type TickDecision = {
  readonly scores: readonly Score[];
  /** Who has the floor; null when nobody asked for it. */
  readonly floor: Colour | null;
  readonly tieBreak: TieBreak | null;
  /** The published message; null when nobody spoke. A visible silence has the message ''. */
  readonly said: Utterance | null;
  readonly hits: readonly Hit[];
  /** Why System says "wrap it up" after this tick; null when it does not. */
  readonly nudge: NudgeReason | null;
};

export const SYSTEMS = ['reactor', 'o2', 'lights', 'comms'] as const;

/** What can be sabotaged, apart from doors. */
export type System = (typeof SYSTEMS)[number];

/** A vent. `links` are the ids of the vents that one crawls to from here. */
export type Vent = {
  readonly id: number;
  readonly place: Place;
  readonly links: readonly number[];
};

export type ShipMap = {
  readonly name: string;
  readonly places: readonly Place[];
  /** What each place opens to, both ways. */
  readonly openings: Readonly<Partial<Record<Place, readonly Place[]>>>;
  readonly vents: readonly Vent[];
  /** Rooms whose doors can be shut; shut, nobody walks or looks in or out. */
  readonly doors: readonly Room[];
  /** Hallways that the cameras show, and the room where they are watched; null where there are none. */
  readonly cameras: { readonly at: Room; readonly show: readonly Place[] } | null;
  /** Where one reads how many are in each room; null where there is no such table. */
  readonly adminTable: Room | null;
  /** Where the button is, and where everybody begins. */
  readonly button: Room;
  /** Consoles at which a system is fixed; a system that is not on the map has none. A room named twice has two. */
  readonly consoles: Readonly<Record<System, readonly Room[]>>;
};

/** When beliefs are asked: as a meeting begins and before its ballots are turned, or after each tick as well. */
export const BELIEF_TIMES = ['meeting', 'tick'] as const;
export type BeliefTimes = (typeof BELIEF_TIMES)[number];

/** `call`: before a word is said. `tick`: after a tick. `vote`: the poll is closed, and no ballot has been turned. */
export const BELIEF_MOMENTS = ['call', 'tick', 'vote'] as const;
export type BeliefMoment = (typeof BELIEF_MOMENTS)[number];

/** Who answers: an offline mind, a language model, or a mind of the operator's own. */
export const BELIEF_SOURCES = ['scripted', 'model', 'own'] as const;
export type BeliefSource = (typeof BELIEF_SOURCES)[number];
