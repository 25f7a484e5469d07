/** Reads a message clause by clause: its subjects, their places, and what the speaker asserts. */
import type { Colour, Place } from '../../machines/types.ts';
import {
  type Clause,
  cutPlans,
  findStatement,
  isSupposed,
  joinLists,
  NEGATION,
  splitClauses,
  splitSentences,
} from './clauses.ts';
import { markMessage } from './marking.ts';
import {
  type ClauseHead,
  findHead,
  findNamed,
  LIST,
  readPeople,
  type SpeechContext,
} from './people.ts';
import { findCompanions, findPlaces, hideBodies, tellsKill } from './places.ts';

export type PlaceClaim = {
  readonly type: 'place';
  readonly by: Colour;
  readonly about: Colour;
  readonly place: Place;
  /** Seconds before the call; null where no time was given: at some moment since the last meeting. */
  readonly ago: number | null;
};

export type SpokenMessage = {
  readonly speaker: Colour;
  readonly target: Colour | null;
  readonly message: string;
};

type SpokenPredicate = {
  readonly people: readonly Colour[];
  /** `done` is the predicate without plans; `text` also leaves out anything seen or found. */
  readonly done: string;
  readonly text: string;
  /** Whether "both" or "together" is said, and whether about a place. */
  readonly isBoth: boolean;
  readonly hasPlace: boolean;
};

/** Gets the speaker's assertions other than places. */
export type ClauseListener = {
  /** A sentence that asks something, and may state something before it asks. */
  readonly hearQuestion?: (sentence: string, context: SpeechContext) => void;
  readonly hearSentence: (sentence: string, context: SpeechContext) => void;
  /** A clause, and the link of the one that follows it. */
  readonly hearClause: (clause: Clause, next: string, context: SpeechContext) => void;
  readonly hearPredicate: (predicate: SpokenPredicate, context: SpeechContext) => void;
  readonly hearCompany: (one: Colour, other: Colour, context: SpeechContext) => void;
  readonly hearLie: (liar: Colour, context: SpeechContext) => void;
};

/** Characters of a message that are read. Speech is far shorter; what is longer is no speech. */
const LONGEST = 4000;

/** The place claims of a message, each once. `listener` gets the others. */
export function readMessage(
  { speaker, target, message }: SpokenMessage,
  listener: ClauseListener | null,
): readonly PlaceClaim[] {
  const reading = new Reading(speaker, target, listener);
  const text = joinLists(markMessage(message.slice(0, LONGEST)));
  for (const sentence of splitSentences(text)) reading.read(sentence);
  return [...reading.places.values()];
}

export function findPlaceClaims(message: SpokenMessage): readonly PlaceClaim[] {
  return readMessage(message, null);
}

const REPORTING =
  /^(?: ?(?:'s|'ve|'d|also|just|only|already|both|each|has|have|had|is|was|were|are|keeps?|kept|still|even|did|does|do|said|never|been|now|once|all|clearly|directly)\b)* ?\b(?:say|says|said|saying|claim|claims|claimed|claiming|tell|tells|told|mention|mentions|mentioned|mentioning|thinks?|thought|swears?|swore|confirms?|confirmed|confirming|admits?|admitted|insists?|insisted|states?|stated|argues?|argued|suggests?|suggested|repeating|asks?|asked|asking|implied|denies|denied|wants?|explained|described|accused?|accuses|hard accused|accusing|vouched|vouches|questioning|voted|voting|cleared)\b/;
/** "Blue confirmed it" reports nothing that follows. */
const REPORTED_ALREADY =
  /\b(?:confirmed|confirms|said|says|told|mentioned|vouched|vouches|voted)(?: (?:it|this|that|so|too|me|us|them|for \S+|the same))*$/;
const ACCORDING = /\b(?:according to|based on|per) (@\w+)/;
/** People who are no particular player. */
const CROWD =
  /^(?:nobody|someone|somebody|everyone|everybody|players?|others?|multiple|several|anyone|one)\b/;
const STORY =
  /@\w+ 's (?:claims?|story|stories|alibi|word|statements?|account|version|observations?|accusations?|footage|point|vote|movements story|confirmation|testimony)\b/;
const OWN_WORDS =
  /^i(?:'d|'ve|'m)? (?:(?:would|do|did|can|could|just|also|already|only|still|really|want to|have to|must|like to|wanted to|should|gladly|can't|want|truly|directly|will|firmly|strongly|definitely|honestly|personally|clearly|recall) )*(?:believe(?: that)?(?= \S+(?: & \S+)* (?:was|is|are|were|did|killed|vented|has|had|lied|left|went|killed)\b)|recall|say|said|tell you|told you all|told you|told u|told|confirm|confirmed|think|guess|know|swear|mean|meant|remember|point out|share|clarify|state|add|report that|reiterate|note|mention|admit|feel|repeat|sure|sure that|noticed that|glad)\b(?: (?:all|you|u|everyone|everybody|for the record|what i|is|was|by mistake|that))*[,:]?\s*/;
const LIE =
  /\b(?:that's|that is|this is|it's|its|it is|which is) (?:simply |just |such |plain |clearly )?(?:a |an )?(?:lie|false|untrue|not true|nonsense|made up|ridiculous lie|bs)\b|\b(?:one of these|that) is a lie\b/;
const SIGHT = new RegExp(
  `\\b(?:saw|seen|see|seeing|spotted|noticed|noticing|passed|met|caught|watched|watching|observed|observing|witnessed|walked in on|catch|heard|passing|find|had an eye on) (?:that |of |both |as |how |all |only |the )*(?<who>${LIST}(?![\\w'])|their (?=visual|scan|task))(?: & (?=#))?`,
);
const PASSIVE =
  /\b(?:was|were|been|being|got|be|is|are) (?:\w+ )?(?:seen|spotted|observed|noticed|caught|last seen)\b/;
/** A tenseless verb after seen players: they do it, not the witness. */
const TENSELESS =
  /^(?:then |also |later )*(?:\w+ing|enter|leave|move|go|run|come|head|kill|vent|arrive|walk|drop|exit|die|report|fake|do|return|work|stand|wait|use|swipe|scan|step|get|chase|follow)\b/;
const LAST_SEEN =
  /^(?:~[\d.]+ )?(?:the |my )?last (?:place |time |entry on @\w+:? |thing )?(?:i |we )(?:saw|seen|met)(?: of)? /;
const STARTS_PLACE = /^(?:also |just |still |right )*(?:in|at|inside|from|with|w|through|to)\b/;
const ELLIPTIC =
  /^(?:#\w+ (?:w|with|yes)\b|on cams|was|were|been|went|did|didn't|found|saw|passed|left|am|done|doing|came|got|fixed|voting|voted|can|had|have|haven't|heard|finished|completed|last|only|moved|stayed|walked|reported|called|emergency|hard|can't|swear|w|with|do|don't|scanned|swiped|watched|while|downloading|in|at|from)\b/;
const ENDS_REPORT = /^(?:but|yet|however|which|so|though|although|—|–|-|:)$/;
const OWN_AGAIN = /^(?:i|i'm|we|that's|that is|it's|this|one of these|nobody|then what)\b/;
const ENDS_SUPPOSITION = /^(?:[:;]|but|yet|however|—|–)$/;
/** A player who is said to be dead is nowhere. */
const DIED = /\b(?:is|was|were|been|lies|lay|are|'s)(?: \w+)? (?:dead|down|killed|murdered)\b/;
const DEAD =
  /\b(?:is|was|were|been|lies|lay|are|'s)(?: \w+)? (?:dead|down|killed|murdered)\b|\bdead in\b|\bdied\b|\b(?:body|bodies|corpse)\b(?! (?:was|is|got) )/;

/** Indirect questions: "I know who did it", "explain why you were in Nav". */
const INDIRECT = /^(?:who|why|what|how|whether)$/;
/** Clauses that the next one does not continue: "was in Admin when Red died and then moved". */
const SUBORDINATE = /^(?:when|while|whilst|before|after|until|since|as)$/;
const HERE =
  /(?<=\S )(?<!^right )\b(?:in |at )?(?:there|that room|the same room)\b(?! (?:was|were|is|are))/g;
/** A place where one can be: "fix the oxygen" names none. */
const NAMED_PLACE = /\b(?:in|at|to|into|from|inside|through|entered|left|&)(?: the)? (#\w+)/g;
const AMONG = new RegExp(
  `^(?:including|such as|namely|like|only|just)(?: also| both)? (${LIST})(?![\\w'])`,
);
const ALONGSIDE = new RegExp(
  `^(?:alone |together |again )*(?:with|w|alongside) (${LIST})(?![\\w'])`,
);
const SO_DID = new RegExp(`^so (?:was|were|did|am) (${LIST})$`);
const TIME_ALONE = /^(?:\w+ )?~([\d.]+)$/;
/** Verbs of seeing without a player: "saw a dot in MedBay" places nobody. */
const LOOKING =
  /\b(?:saw|seen|see|noticed|spotted|heard|found|find|discovered|passed|watched|observed|witnessed|caught)\b/;
const MOVEMENTS = /(@\w+) 's (?:\w+ )?(?:movements?|presence)\b/;
const SHARED_WAY = /\bwe (?:shared|walked) (?:\w+ of )?the way\b/;
const CHASE = new RegExp(`\\b(?:chas|follow|tail|stalk)(?:ed|ing) (${LIST})(?![\\w'])`);
/** "If it helps" is no condition. */
const NO_CONDITION =
  /^(?:if )?(?:it helps|i (?:recall|remember)|you (?:ask|must know)|anyone cares)\b/;
const CONDITION = /^(?:if|unless|suppose|imagine|assuming|what if)\b/;

type Told = {
  readonly ago: number | null;
  readonly isSeen?: boolean;
  readonly isBoth?: boolean;
};

class Reading {
  readonly places = new Map<string, PlaceClaim>();
  readonly #context: SpeechContext;
  readonly #listener: ClauseListener | null;
  /** Whose words were doubted last: "One of these is a lie." */
  #doubted: Colour | null = null;
  /** Places without names so far: "several players in Admin, including Red". */
  #unnamed: SpeechContext['stays'] = [];
  /** A time before its statement: "just before the call, I was in Nav". */
  #timeAhead: number | null = null;
  #killer: Colour | null = null;
  /** Whether the clause before ended with a plan, which "and then to Storage" goes on with. */
  #isPlanning = false;
  #next = '';
  #isFirst = true;

  constructor(by: Colour, target: Colour | null, listener: ClauseListener | null) {
    this.#listener = listener;
    this.#context = {
      by,
      target,
      addressed: [],
      last: null,
      subject: [],
      seen: [],
      company: [],
      place: null,
      stays: [],
      reporter: null,
      isSupposing: false,
    };
  }

  read(sentence: string): void {
    const context = this.#context;
    context.reporter = null;
    context.isSupposing = false;
    context.stays = [];
    this.#unnamed = [];
    this.#timeAhead = null;
    const statement = findStatement(sentence);
    const clauses = splitClauses(statement ?? sentence);
    const called = clauses.find(
      ({ text }, index) => /^@\w+(?: & @\w+)*$/.test(text) && (index > 0 || clauses.length > 1),
    );
    if (called !== undefined) context.addressed = findNamed(called.text);
    if (statement === null || statement.length < sentence.trim().length - 1)
      this.#listener?.hearQuestion?.(sentence, context);
    if (statement === null) {
      this.#remember(sentence);
      return;
    }
    if (LIE.test(sentence) && this.#doubted !== null && clauses.length === 1)
      this.#listener?.hearLie(this.#doubted, context);
    if (!CONDITION.test(sentence)) this.#listener?.hearSentence(statement, context);
    this.#isFirst = true;
    this.#isPlanning = false;
    for (const [index, clause] of clauses.entries()) {
      this.#next = clauses[index + 1]?.link ?? '';
      this.#clause(clause);
      this.#isFirst = false;
      this.#remember(clause.text);
    }
  }

  #remember(text: string): void {
    const context = this.#context;
    const named = findNamed(text).filter((colour) => colour !== context.by);
    context.last = this.#killer ?? named.at(-1) ?? context.last;
    this.#killer = null;
    context.place = [...text.matchAll(NAMED_PLACE)].at(-1)?.[1] ?? context.place;
  }

  #clause(clause: Clause): void {
    const context = this.#context;
    const { link } = clause;
    if (ENDS_SUPPOSITION.test(link)) context.isSupposing = false;
    const startsAgain = ENDS_REPORT.test(link) || OWN_AGAIN.test(clause.text);
    if (context.reporter !== null && startsAgain && link !== 'that' && link !== '') {
      if (LIE.test(clause.text) && context.reporter !== 'unnamed')
        this.#listener?.hearLie(context.reporter, context);
      context.reporter = null;
    }
    const there = context.place;
    const whole = there === null ? clause.text : clause.text.replace(HERE, `in ${there}`);
    const text = this.#ownWords(whole);
    if (ACCORDING.test(text)) context.reporter = 'unnamed';
    if (context.reporter !== null) return;
    if (NO_CONDITION.test(text)) return;
    if (link === 'if' || link === 'unless' || CONDITION.test(text)) context.isSupposing = true;
    if (context.isSupposing || INDIRECT.test(link) || this.#isAside({ link, text })) return;
    const head = findHead(text, context);
    if (this.#isPlanning && head.kind === 'none') return;
    this.#isPlanning = false;
    // A name alone calls a player.
    if (head.kind === 'named' && head.rest === '' && link !== 'so') {
      if (this.#isFirst) context.subject = [];
      return;
    }
    if (
      head.kind === 'named' &&
      !head.people.includes(context.by) &&
      REPORTING.test(` ${head.rest}`)
    ) {
      context.reporter = head.people[0] ?? 'unnamed';
      this.#doubted = head.people[0] ?? null;
      // "Blue said so" is over; "Blue said that …" has begun.
      if (this.#next !== 'that' && REPORTED_ALREADY.test(head.rest)) context.reporter = null;
      return;
    }
    if (head.kind === 'other' && CROWD.test(text) && REPORTING.test(text.replace(/^\S+/, ''))) {
      context.reporter = 'unnamed';
      return;
    }
    this.#listener?.hearClause({ link, text }, this.#next, context);
    if (head.kind === 'belonging' || STORY.test(text)) {
      context.subject = [];
      context.reporter = 'unnamed';
      return;
    }
    const { subject, seen } = context;
    this.#deeds({ link, text }, head);
    if (SUBORDINATE.test(link) && !this.#isFirst && head.kind !== 'none') {
      context.subject = subject;
      context.seen = seen;
    }
  }

  /** Clauses that only add to the one before: a time, more names, "so was I". */
  #isAside({ link, text }: Clause): boolean {
    const context = this.#context;
    const { stays, seen, subject } = context;
    const [, seconds] = TIME_ALONE.exec(text) ?? [];
    if (seconds !== undefined) {
      const ago = Number(seconds);
      // "…, and just before the call, I was in Nav": the time belongs to the following part.
      if (stays.length === 0 || text.startsWith('and ')) this.#timeAhead = ago;
      else
        this.#stay(
          seen.length > 0 ? seen : subject,
          stays.map(({ place }) => ({ place, ago })),
        );
      return true;
    }
    const so = SO_DID.exec(link === 'so' ? `so ${text}` : text)?.[1];
    if (so !== undefined) {
      this.#stay(readPeople(so, context), stays);
      return true;
    }
    const among = AMONG.exec(text)?.[1];
    if (among !== undefined && this.#unnamed.length > 0) {
      this.#stay(readPeople(among, context), this.#unnamed);
      return true;
    }
    const beside = link === ',' ? ALONGSIDE.exec(text)?.[1] : undefined;
    const withWhom = seen.length > 0 ? seen : subject;
    if (beside === undefined || withWhom.length === 0) return false;
    const others = readPeople(beside, context);
    this.#stay(others, stays);
    for (const one of withWhom) for (const other of others) this.#company(one, other);
    return true;
  }

  #stay(people: readonly Colour[], stays: SpeechContext['stays']): void {
    for (const about of people) {
      for (const stay of stays) {
        const key = `${about} ${stay.place}`;
        const known = this.places.get(key);
        // The same place with a time says more than without.
        if (known !== undefined && known.ago !== null) continue;
        this.places.set(key, { type: 'place', by: this.#context.by, about, ...stay });
      }
    }
  }

  /** The clause without "I can confirm that" and the like. */
  #ownWords(text: string): string {
    const [found = ''] = OWN_WORDS.exec(text) ?? [];
    const rest = text.slice(found.length);
    if (/n't|\bnot\b/.test(found)) return text;
    return rest === '' || /^(?:to|of|about|for)\b/.test(rest) ? text : rest;
  }

  #deeds(clause: Clause, head: ClauseHead): void {
    const context = this.#context;
    const { text } = clause;
    const ago = readAgo(text) ?? this.#timeAhead;
    const lastSeen = LAST_SEEN.exec(text);
    const told = lastSeen === null ? text : `i saw ${text.slice(lastSeen[0].length)}`;
    if (isSupposed({ link: clause.link, text: told })) return;
    const moved = MOVEMENTS.exec(told);
    if (moved !== null) {
      context.subject = findNamed(moved[1] ?? '');
      this.#tell(context.subject, told.slice(moved.index + moved[0].length), { ago, isSeen: true });
      return;
    }
    if (SHARED_WAY.test(told) && context.last !== null) this.#company(context.by, context.last);
    const sight = PASSIVE.test(told) ? null : SIGHT.exec(told);
    if (sight !== null) {
      this.#sighting(clause, sight, head, ago);
      return;
    }
    const people = DIED.test(told) && head.kind === 'named' ? [] : this.#subject(clause, head);
    const rest = head.kind === 'none' ? told : head.rest;
    const looking = PASSIVE.test(told) ? null : LOOKING.exec(rest);
    if (looking !== null && people.includes(context.by))
      this.#unnamed = findPlaces(rest.slice(looking.index)).map((place) => ({ place, ago }));
    const isBoth = head.isBoth || (people.length > 1 && /\btogether\b/.test(text));
    this.#tell(people, rest, { ago, isBoth, isSeen: people.length > 0 && people === context.seen });
    context.subject = people;
    if (people !== context.seen) context.seen = [];
  }

  /** "I was in Admin and saw Red in Storage": the witness is before the verb, the seen players after it. */
  #sighting(clause: Clause, sight: RegExpExecArray, head: ClauseHead, ago: Told['ago']): void {
    const context = this.#context;
    const { by } = context;
    const { input: told, index } = sight;
    const before = told.slice(0, index);
    const isOwn =
      /\bi(?:'ve|'d| also| just| last| only| did| then| even| personally| clearly| directly| definitely)* $/.test(
        before,
      );
    const people = isOwn ? [by] : this.#subject(clause, head);
    const seen = readPeople((sight.groups?.['who'] ?? '').replace(/^their $/, 'they'), context);
    const came = clause.link === '' ? [] : context.stays;
    const after = told.slice(index + sight[0].length).replace(/^ (?:was|were|had been) /, ' ');
    this.#tell(people, before, { ago });
    context.subject = people;
    if (NEGATION.test(before)) return;
    context.seen = seen;
    // Who passes a player is there as well.
    const isMet = /^(?:passed|met|passing|walked in)/.test(sight[0]);
    this.#tell(isMet ? [...people, ...seen] : seen, after, {
      ago,
      isSeen: true,
      isBoth: head.isBoth,
    });
    if (
      findPlaces(after, { isSeen: true }).length === 0 &&
      /\b(?:beside|next to|over|by) the body\b/.test(after)
    )
      this.#stay(seen, came);
  }

  /** Whom a clause is about, where it may leave that out: "was in Nav", "and moved to Storage". */
  #subject({ link, text }: Clause, head: ClauseHead): readonly Colour[] {
    const { by, seen, subject } = this.#context;
    if (head.kind === 'named' || head.kind === 'moving') return head.people;
    if (head.kind === 'other' || /^(?:who|which|than|that)$/.test(link)) return [];
    if (link === '') {
      const goesOn = STARTS_PLACE.test(text) && !/^(?:with|w|from|to)\b/.test(text);
      if (goesOn && subject.length > 0) return subject;
      return ELLIPTIC.test(text) ? [by] : [];
    }
    if (this.#isFirst) return STARTS_PLACE.test(text) || /^\w+ing\b/.test(text) ? [by] : [];
    if (seen.length > 0 && (TENSELESS.test(text) || /^(?:in|at)\b/.test(text))) return seen;
    return subject;
  }

  #tell(
    people: readonly Colour[],
    told: string,
    { ago, isSeen = false, isBoth = false }: Told,
  ): void {
    const context = this.#context;
    const { by } = context;
    const done = cutPlans(told);
    const looking = isSeen || PASSIVE.test(done) ? null : LOOKING.exec(done);
    const text = looking === null ? done : done.slice(0, looking.index);
    this.#isPlanning = done !== told;
    if (people.length === 0 || done.trim() === '') return;
    const companions = findCompanions(text).flatMap((list) => readPeople(list, context));
    const [, chased] = CHASE.exec(text) ?? [];
    const along = chased === undefined ? [] : readPeople(chased, context);
    const places = DEAD.test(hideBodies(text)) ? [] : findPlaces(text, { isSeen });
    const isBeside = companions.includes(by) && places.length === 0;
    const stays = isBeside ? context.stays : places.map((place) => ({ place, ago }));
    this.#stay([...new Set([...people, ...companions, ...along])], stays);
    for (const one of people) for (const other of companions) this.#company(one, other);
    if (people.includes(by) && companions.length > 0) context.company = companions;
    // "They" is the killer, even if the victim was named last.
    if (tellsKill(done)) this.#killer = people.find((about) => about !== by) ?? null;
    const hasPlace = stays.length > 0;
    this.#listener?.hearPredicate({ people, done, text, isBoth, hasPlace }, context);
    this.#timeAhead = stays.length > 0 ? null : ago;
    if (stays.length > 0) context.stays = stays;
  }

  #company(one: Colour, other: Colour): void {
    this.#listener?.hearCompany(one, other, this.#context);
  }
}

/** The time that a marked text tells, in seconds before the call; null when it tells none. */
export function readAgo(text: string): number | null {
  const [, seconds] = /~(\d+(?:\.\d+)?)/.exec(text) ?? [];
  return seconds === undefined ? null : Number(seconds);
}
