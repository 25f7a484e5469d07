/** The words of the game: every list that rules, charts and files share, and the types derived from them. */

/** Player colours in lobby order. No rule may prefer an earlier colour. */
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

/** The reserved speaker of the nudge. No seat may have this name (ruling 34). */
export const SYSTEM = 'system';
export const NUDGE = 'wrap it up';

export const ROLES = ['crewmate', 'impostor'] as const;
export type Role = (typeof ROLES)[number];

/** `house`: players vote when ready. `classic`: Among Us, talk without votes, then timed voting. */
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

/** The living answer all kinds but `ghost`. */
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
 * How a meeting ended. `empty`: nobody was alive when the poll closed. `unconverged`: a limit of the operator stopped
 * it. `interrupted`: the operator stopped the run. `refused`: the call broke a rule.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** The dead are ghosts. The departed are gone for the rest of the game. */
export const STANDINGS = ['living', 'dead', 'departed'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A colour, or the candidate "skip" (ruling 23). */
export type Ballot = Colour | 'skip';

/** A union by its table: `{ left: { seat: Colour } }` is `{ readonly type: 'left'; readonly seat: Colour }`. */
export type ByType<Table> = {
  readonly [T in keyof Table]: Readonly<{ type: T } & Table[T]>;
}[keyof Table];

/** One value for each seat. Colours that are not seated have no entry. */
export type BySeat<T> = Readonly<Partial<Record<Colour, T>>>;

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
 * Visible deeds. `visual` is a task that others can verify, which only a crewmate can do. `vent` and `kill` prove an
 * impostor. `dead` is a body. A faked task looks like a `task`.
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

/** `who` may be the player: that is their own path. */
export type Sighting = {
  /** Seconds before the meeting. */
  readonly ago: number;
  readonly who: Colour;
  readonly place: Place;
  readonly did: Deed;
};

/** A player's knowledge when the meeting begins: sightings, and free notes for minds that read prose. */
export type Brief = { readonly sightings: readonly Sighting[]; readonly notes: string };

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

/** How much strategy advice a model gets (ruling 42). */
export const LEVELS = ['none', 'basic', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

/** A player beyond one game. `notes` are private. */
export type Persona = {
  readonly name: string;
  readonly temperament: Temperament;
  readonly notes: string;
  /** What a model is asked to write in. */
  readonly language?: string | undefined;
};

export type Seat = { readonly colour: Colour; readonly role: Role };

export const CALL_KINDS = ['body', 'button'] as const;

/** The most lessons of a seat, and the most characters of each. */
export const MOST_LESSONS = 10;
export const LONGEST_LESSON = 200;

/** `crisis`, `cooldown` and `buttonsLeft` matter only to the button. */
export type Call = {
  readonly by: Colour;
  readonly kind: (typeof CALL_KINDS)[number];
  /** The reported victim. Null for a button. */
  readonly body: Colour | null;
  /** Where the body lay. Null if unknown. */
  readonly place: Place | null;
  readonly buttonsLeft: number;
  /** Seconds until the button works again. */
  readonly cooldown: number;
  /** The current sabotage, such as "reactor". Null if there is none. */
  readonly crisis: string | null;
};

/** `meeting` is erased when the meeting ends. `main` is kept. */
export type Pads = { readonly main: string; readonly meeting: string };
export type PadUpdates = Partial<Pads>;

/** A remark about a reply for its sender, with a stable code. */
export type Note = { readonly code: string; readonly text: string };

/** A parsed reply: every field has its type and range. */
export type Reply = {
  readonly thought: string;
  /** Urgency, a whole number from 0 to 10. */
  readonly desire: number;
  /** '' if the player does not want to speak. */
  readonly message: string;
  readonly target: Colour | null;
  readonly vote: Ballot | null;
  readonly pads: PadUpdates;
  readonly notes: readonly Note[];
};

/** A living player's bid in a tick. `received` is the raw reply, which a fault keeps too if there was one. */
export type Bid = ByType<{
  reply: { seat: Colour; received: unknown; reply: Reply };
  fault: { seat: Colour; code: string; text: string; received?: unknown };
}>;

/** A face from 1 to 6, which adds to the score, and a draw below 2^32, which decides between equal scores. */
export type Die = { readonly face: number; readonly draw: number };

/** One reason why a message boosts a player. */
export type Hit = {
  readonly seat: Colour;
  readonly kind: 'mention' | 'accusation';
  /** The matched word or field: "Red's", "target", "liar". */
  readonly word: string;
  /** The reason for the audit: "whole word in the message", "same sentence as Red". */
  readonly reason: string;
};

/** `tick` is the one of publication, from 0. */
export type Utterance = {
  readonly tick: number;
  readonly speaker: Colour | typeof SYSTEM;
  readonly target: Colour | null;
  readonly message: string;
};

/** Tie-breakers in the order in which they apply (ruling 5). */
export const TIE_BREAKS = ['silence', 'unvoted', 'draw'] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export const NUDGE_REASONS = ['ticks', 'tokens'] as const;
export type NudgeReason = (typeof NUDGE_REASONS)[number];

export const SYSTEMS = ['reactor', 'o2', 'lights', 'comms'] as const;

/** Systems that can be sabotaged, without doors. */
export type System = (typeof SYSTEMS)[number];

/** `links` are the ids of the vents reachable from this one. */
export type Vent = {
  readonly id: number;
  readonly place: Place;
  readonly links: readonly number[];
};

export type ShipMap = {
  readonly name: string;
  readonly places: readonly Place[];
  /** The places next to each place, in both directions. */
  readonly openings: Readonly<Partial<Record<Place, readonly Place[]>>>;
  readonly vents: readonly Vent[];
  /** Rooms whose doors can be shut. Nobody walks or looks through shut doors. */
  readonly doors: readonly Room[];
  /** The hallways with cameras, and the room with their screens. Null if there are none. */
  readonly cameras: { readonly at: Room; readonly show: readonly Place[] } | null;
  /** The room whose table shows the heads in each room. Null if there is none. */
  readonly adminTable: Room | null;
  /** The room of the button, where everybody begins. */
  readonly button: Room;
  /** Rooms with consoles for each system. A room with two consoles appears twice. */
  readonly consoles: Readonly<Record<System, readonly Room[]>>;
};

/** `meeting`: as a meeting begins and before the reveal. `tick`: after each tick as well. */
export const BELIEF_TIMES = ['meeting', 'tick'] as const;
export type BeliefTimes = (typeof BELIEF_TIMES)[number];

/** `call`: before the first message. `tick`: after a tick. `vote`: after the poll and before the reveal. */
export const BELIEF_MOMENTS = ['call', 'tick', 'vote'] as const;
export type BeliefMoment = (typeof BELIEF_MOMENTS)[number];

/** An offline mind, a language model, or a mind of the operator's own. */
export const BELIEF_SOURCES = ['scripted', 'model', 'own'] as const;
export type BeliefSource = (typeof BELIEF_SOURCES)[number];
