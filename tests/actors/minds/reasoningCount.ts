/** How well offline players reason in a game, counted from its journal: ballots, charges and answers, reports, praise. */
import { readClaims, type TableClaim } from '../../../actors/minds/scripted/hearing.ts';
import { judgeGame } from '../../../analysis/observer/judgement.ts';
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import { findNames } from '../../../machines/rules/mentions.ts';
import { type Ballot, type Colour, SYSTEM, type Utterance } from '../../../machines/types.ts';

/** A message against a player, and the facts that an answer has to take up. */
type Charge = {
  readonly by: Colour;
  readonly who: Colour;
  readonly line: number;
  readonly topics: readonly string[];
};

const AGAINST: ReadonlySet<TableClaim['type']> = new Set(['deed', 'charge', 'push', 'company']);
const RECALLS =
  /\bfrom the start\b|\bi (?:already )?said (?:it|so|that)\b|\btold you (?:so|before)\b|\bsaid (?:it )?before\b|\bas i said\b/i;
const NAME = '([A-Z][a-z]+)';
const PRAISE = new RegExp(
  `(?:I believe|I am with|I trust|Thank you,) ${NAME}|${NAME} (?:has a (?:point|case)|had a point|is (?:right|making sense|convincing|telling the truth)|gave us something|put it well|says so|sounded sure)`,
  'g',
);

export class ReasoningCounter {
  readonly counts = {
    ...{
      sureRight: 0,
      sureSkip: 0,
      sureWrong: 0,
      charges: 0,
      answered: 0,
      defences: 0,
      fitting: 0,
    },
    ...{ reports: 0, unexplained: 0, recalled: 0, untrue: 0, praised: 0, unearned: 0 },
  };
  #transcript: Utterance[] = [];
  #said: readonly TableClaim[] = [];
  #accused = new Set<string>();
  #ejected = new Set<Colour>();
  #scene: string | null = null;
  #ballots = new Map<Colour, Ballot>();

  read(lines: readonly Line[]): void {
    for (const line of lines) this.#read(line);
    this.#countBallots(lines);
  }

  #add(kind: keyof ReasoningCounter['counts']): void {
    this.counts[kind] += 1;
  }

  #countBallots(lines: readonly Line[]): void {
    for (const { ballot, odds, regret } of judgeGame(lines)?.ballots ?? []) {
      if (odds + regret < 1 - 1e-9) continue;
      this.#add(odds > 1 - 1e-9 ? 'sureRight' : ballot === 'skip' ? 'sureSkip' : 'sureWrong');
    }
  }

  #read(line: Line): void {
    if (line.channel !== 'living') return;
    if (line.type === 'match.opened') {
      this.#accused = new Set();
      this.#ejected = new Set();
    } else if (line.type === 'meeting.called') {
      this.#transcript = [];
      this.#said = [];
      this.#ballots = new Map();
      this.#scene = line.place;
    } else if (line.type === 'tick.closed') this.#listen(line);
    else if (line.type === 'vote.locked') this.#ballots.set(line.seat, line.ballot);
    else if (line.type === 'meeting.closed') {
      this.#countAnswers();
      this.#countReports();
      if (line.ejected !== null) this.#ejected.add(line.ejected);
    }
  }

  #listen({ said }: LineOf<'tick.closed'>): void {
    if (said === null || said.speaker === SYSTEM || said.message === '') return;
    const spoken: Utterance = { ...said, target: said.target ?? null };
    const claims = readClaims(spoken, this.#transcript.length);
    this.#countMemories(spoken, said.speaker, claims);
    this.#transcript.push(spoken);
    this.#said = [...this.#said, ...claims];
    for (const one of claims)
      if (AGAINST.has(one.type) && 'who' in one) this.#accused.add(`${one.by} ${one.who}`);
  }

  /** Words that say that something was said before, and praise of what somebody said. */
  #countMemories({ message }: Utterance, by: Colour, claims: readonly TableClaim[]): void {
    const named = findNames(message).map(({ seat }) => seat);
    if (RECALLS.test(message)) {
      this.#add('recalled');
      if (!named.some((who) => this.#accused.has(`${by} ${who}`))) this.#add('untrue');
    }
    for (const [, one, other] of message.matchAll(PRAISE)) {
      const [praised] = findNames(one ?? other ?? '').map(({ seat }) => seat);
      if (praised === undefined) continue;
      this.#add('praised');
      const about = new Set(
        claims.flatMap((claim) => ('who' in claim && claim.who !== praised ? [claim.who] : [])),
      );
      const isEarned = this.#said.some(
        (claim) =>
          claim.by === praised &&
          (about.size === 0 || ('who' in claim && claim.who !== 'skip' && about.has(claim.who))),
      );
      if (!isEarned) this.#add('unearned');
    }
  }

  /** Charges that the accused could still answer, and whether each defence takes up a charge of whom it addresses. */
  #countAnswers(): void {
    const charges = this.#transcript.flatMap((said, line) => this.#chargesIn(said, line));
    const seen = new Set<string>();
    const isDenial = (line: number) =>
      this.#said.some((one) => one.line === line && one.type === 'denial');
    const takesUp = ({ message }: Utterance, { topics }: Charge) =>
      topics.every((topic) => message.toLowerCase().includes(topic));
    for (const charge of charges) {
      const { who, line, topics } = charge;
      const key = [who, ...topics].join();
      if (seen.has(key)) continue;
      seen.add(key);
      const later = [...this.#transcript.entries()].filter(
        ([index, { speaker }]) => index > line && speaker === who,
      );
      if (later.length === 0) continue;
      this.#add('charges');
      if (later.some(([index, said]) => isDenial(index) && takesUp(said, charge)))
        this.#add('answered');
    }
    for (const [line, said] of this.#transcript.entries()) {
      if (!isDenial(line) || said.target === null) continue;
      const made = this.#transcript.flatMap((heard, index) =>
        index < line && heard.speaker === said.target
          ? this.#chargesIn(heard, index, true).filter(({ who }) => who === said.speaker)
          : [],
      );
      this.#add('defences');
      if (made.some((one) => takesUp(said, one))) this.#add('fitting');
    }
  }

  /** `withPlaces` also counts places that a player need not answer for. */
  #chargesIn({ message }: Utterance, line: number, withPlaces = false): readonly Charge[] {
    const claims = this.#said.filter((one) => one.line === line);
    const about = claims.flatMap((one) =>
      'who' in one && one.who !== 'skip' && one.who !== one.by && this.#isAgainst(one, withPlaces)
        ? [{ by: one.by, who: one.who }]
        : [],
    );
    const names = new Set(findNames(message).map(({ seat }) => seat));
    return about.flatMap(({ by, who }, index) => {
      if (about.findIndex((one) => one.who === who) !== index) return [];
      const isDeed = claims.some((one) => one.type === 'deed' && one.who === who);
      const places = claims.flatMap((one) =>
        (one.type === 'sighting' || one.type === 'company') && one.who === who && one.place
          ? [one.place]
          : [],
      );
      const ejected = [...this.#ejected].filter((one) => names.has(one));
      const topics = isDeed ? [] : [...new Set([...places, ...ejected])];
      return [{ by, who, line, topics: topics.map((topic) => topic.toLowerCase()).sort() }];
    });
  }

  #isAgainst(one: TableClaim, withPlaces: boolean): boolean {
    if (one.type === 'company') return withPlaces || one.whom === null;
    if (one.type !== 'sighting') return AGAINST.has(one.type);
    return (
      withPlaces || one.manner === 'idle' || (one.place === this.#scene && one.manner !== 'kindly')
    );
  }

  /** Players who say that they saw somebody at the body, and vote for another one without having said why. */
  #countReports(): void {
    for (const report of this.#said) {
      if (report.type !== 'company' || report.whom !== null) continue;
      const ballot = this.#ballots.get(report.by);
      if (ballot === undefined) continue;
      this.#add('reports');
      if (ballot !== report.who && ballot !== 'skip') {
        const isSaid = this.#said.some(
          (one) =>
            one.by === report.by && 'who' in one && one.who === ballot && AGAINST.has(one.type),
        );
        if (!isSaid) this.#add('unexplained');
      }
    }
  }
}
