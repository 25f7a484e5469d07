import { describe, expect, test } from 'vitest';
import type { LightMind, Mind, MindRequest } from '../../../actors/minds/port.ts';
import { type Lens, lensFor } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import {
  type MeetingMatch,
  type MeetingMatchInput,
  meetingMatchSchema,
} from '../../../machines/setup/match.ts';
import type { Ballot, Colour } from '../../../machines/types.ts';
import { overhear } from '../../support/matches.ts';
import { seeds } from '../../support/seeds.ts';
import { aReply, LEAVE, linesOf, meet } from './meetings.ts';

const LIVING = ['red', 'blue', 'green', 'pink', 'orange', 'yellow'] as const;
const DEAD = ['black', 'white'] as const;
const SEATED: readonly Colour[] = [...LIVING, ...DEAD];
const IMPOSTORS: readonly Colour[] = ['blue', 'pink'];

/** Private texts of a player: those the match holds, and those the mind writes. */
const GIVEN = ['persona', 'character', 'memory', 'ago'] as const;
/** What spectators may know and players may not: of a model, its player neither. */
const PLAYS = ['persona', 'model'] as const;
const playsIn = (seat: Colour) => (DEAD.some((dead) => dead === seat) ? [] : PLAYS);
const WRITTEN = ['thought', 'main', 'meeting'] as const;
type Canary = (typeof GIVEN)[number] | (typeof PLAYS)[number] | (typeof WRITTEN)[number];
const CANARIES: readonly Canary[] = [...GIVEN, 'model', ...WRITTEN];

function canary(seat: Colour, kind: Canary): string {
  const number = SEATED.indexOf(seat);
  return kind === 'ago' ? `${70_001 + number}.125` : `canary ${kind} of seat ${number}`;
}

function aTableOfSecrets(changes: Partial<MeetingMatchInput> = {}): MeetingMatch {
  return meetingMatchSchema.parse({
    name: 'secrets',
    call: { by: 'red', report: 'black', place: 'Electrical' },
    seats: SEATED.map((colour) => ({
      colour,
      role: IMPOSTORS.includes(colour) ? 'impostor' : 'crewmate',
      dead: DEAD.some((dead) => dead === colour),
      persona: {
        name: canary(colour, 'persona'),
        temperament: 'observer',
        notes: canary(colour, 'character'),
      },
      saw: [{ ago: Number(canary(colour, 'ago')), who: colour, place: 'Navigation', did: 'task' }],
      notes: canary(colour, 'memory'),
      model: canary(colour, 'model'),
    })),
    ...changes,
  });
}

type Asked = { readonly seat: Colour; readonly request: MindRequest; readonly text: string };
type Held = { readonly asked: readonly Asked[]; readonly lines: readonly Line[] };

async function overheard(
  match: MeetingMatch,
  seed: number,
  mindOf: (seat: Colour, cast: Mind) => Mind,
): Promise<Held> {
  const asked: Asked[] = [];
  const meeting = await meet(match, seed, {
    recast: (cast, seat) =>
      overhear(mindOf(seat, cast), (request) =>
        asked.push({ seat, request, text: JSON.stringify(request) }),
      ),
  });
  return { asked, lines: linesOf(meeting) };
}

const writes = (seat: Colour) => ({
  internal_thought: canary(seat, 'thought'),
  scratchpad_updates: {
    main_scratch: canary(seat, 'main'),
    meeting_scratch: canary(seat, 'meeting'),
  },
});

function secretive(seat: Colour, cast: Mind): Mind {
  if (cast.pace === 'in-time') return cast;
  return {
    pace: 'at-once',
    answer: (request) => {
      const answer = cast.answer(request);
      const said = answer.ok && answer.received instanceof Object ? answer.received : {};
      return { ok: true, received: { ...aReply(), ...said, ...writes(seat) } };
    },
  };
}

type Plan = Readonly<Partial<Record<Colour, readonly [number, Ballot | 'leave']>>>;
const DEFAULT_PLAN = [8, 'skip'] as const;

function stolid(plan: Plan): (seat: Colour) => LightMind {
  return (seat) => ({
    pace: 'at-once',
    answer: ({ kind: requestKind, index }) => {
      const [when, what] = plan[seat] ?? DEFAULT_PLAN;
      const isDue = index >= when && requestKind !== 'ghost';
      if (isDue && what === 'leave') return LEAVE;
      const reply = aReply({
        ...writes(seat),
        desire_to_speak: 5,
        message: `Tick ${index}, and I was alone.`,
        vote_action: isDue ? what : null,
      });
      return { ok: true, received: reply };
    },
  });
}

function seen(lines: readonly Line[], lens: Lens): readonly string[] {
  const look = lensFor(lens);
  return lines.flatMap((line) => {
    const visible = look(line);
    return visible === null ? [] : [JSON.stringify(visible)];
  });
}

const joined = (texts: readonly string[]) => texts.join('\n');

const found = (text: string, owner: Colour) =>
  CANARIES.filter((kind) => text.includes(canary(owner, kind)));

const SEEDS = Array.from({ length: seeds(3, 50) }, (_, index) => index + 1);
const MINDS = {
  'scripted minds': secretive,
  'stolid minds': stolid({ red: [5, 'blue'], blue: [6, 'red'], green: [3, 'blue'] }),
} as const;
const SETTINGS: Readonly<Record<string, Partial<MeetingMatchInput>>> = {
  'house rules': {},
  'classic rules': { options: { rules: 'classic' } },
  'nothing confirmed, votes anonymous': {
    options: { confirm_ejects: false, anonymous_votes: true },
  },
};

describe.each(Object.entries(SETTINGS))('with %s', (_, settings) => {
  describe.each(Object.entries(MINDS))('and %s', (_name, mindOf) => {
    // Sightings are there to be talked about: a scripted mind says when it saw whom.
    const leaks = (text: string, owner: Colour) =>
      found(text, owner).filter((kind) => mindOf !== secretive || kind !== 'ago');
    const held = (seed: number) => overheard(aTableOfSecrets(settings), seed, mindOf);

    test.each(SEEDS)('a request holds the own secrets and no others (seed %i)', async (seed) => {
      const { asked } = await held(seed);
      for (const { seat, text, request } of asked) {
        for (const owner of SEATED.filter((other) => other !== seat))
          expect(leaks(text, owner), `${seat} in ${request.kind} of ${owner}`).toEqual([]);
      }
      for (const seat of SEATED) {
        const [first, ...later] = asked.filter((one) => one.seat === seat);
        expect(found(first?.text ?? '', seat)).toEqual(GIVEN);
        expect(later.length).toBeGreaterThan(1);
        // Nobody is reminded of a thought; of the notebooks, from the second request on.
        for (const { text } of later)
          expect(found(text, seat)).toEqual([...GIVEN, 'main', 'meeting']);
      }
    });

    test.each(SEEDS)(
      'the table lens shows who plays, the glass box all (seed %i)',
      async (seed) => {
        const { lines } = await held(seed);
        const table = joined(seen(lines, { type: 'table' }));
        const glass = joined(seen(lines, { type: 'glass' }));
        for (const owner of SEATED) expect(leaks(table, owner)).toEqual(playsIn(owner));
        for (const owner of LIVING) expect(found(glass, owner)).toEqual(CANARIES);
        for (const owner of DEAD)
          expect(found(glass, owner)).toEqual(expect.arrayContaining([...WRITTEN]));
      },
    );

    test.each(SEEDS)(
      'a player’s lens shows the own ones, and of others who plays (seed %i)',
      async (seed) => {
        const { lines } = await held(seed);
        for (const seat of SEATED) {
          const eyes = joined(seen(lines, { type: 'player', seat }));
          for (const owner of SEATED.filter((other) => other !== seat))
            expect(leaks(eyes, owner), `${seat} of ${owner}`).toEqual(playsIn(owner));
          expect(found(eyes, seat)).toEqual(expect.arrayContaining([...WRITTEN]));
        }
        for (const seat of LIVING) {
          expect(found(joined(seen(lines, { type: 'player', seat })), seat)).toEqual(CANARIES);
        }
      },
    );
  });
});

function othersAsked({ asked }: Held, others: readonly Colour[], until: (asked: Asked) => boolean) {
  return asked
    .filter(({ seat, request }) => others.includes(seat) && request.kind !== 'ghost')
    .filter((one) => !until(one))
    .map(({ seat, text }) => `${seat} ${text}`);
}

const isTold = ({ request }: Asked) => tableIn(request)?.announced != null;

/** The table as a living player sees it; null where nobody sits at one. */
function tableIn(request: MindRequest) {
  return request.kind === 'ghost' || request.kind === 'action' ? null : request.view.table;
}

type View = Colour | 'table' | 'glass';
const lensOf = (view: View): Lens =>
  view === 'table' || view === 'glass' ? { type: view } : { type: 'player', seat: view };

/** Whether two meetings look the same before a line, from each point of view. */
function lookSame(one: Held, other: Held, end: Line['type'], views: readonly View[]) {
  const look = ({ lines }: Held, view: View) => {
    const before = lines.slice(
      0,
      lines.findIndex(({ type }) => type === end),
    );
    return joined(seen(before, lensOf(view)));
  };
  return views.map((view) => look(one, view) === look(other, view));
}

const holding = (match: MeetingMatch, plan: Plan) => overheard(match, 1, stolid(plan));

describe('a ballot', () => {
  const tables: readonly (readonly [string, Partial<MeetingMatchInput>, Plan])[] = [
    ['in house rules', {}, {}],
    ['in house rules, void or not', {}, { green: [6, 'leave'] }],
    ['in classic rules', { options: { rules: 'classic' } }, {}],
    ['that is anonymous', { options: { anonymous_votes: true, confirm_ejects: false } }, {}],
    [
      'when somebody misses the vote',
      { options: { vote_after: 2, voting_time: 30 } },
      { pink: [99, 'skip'] },
    ],
  ];

  test.each(tables)('%s is seen by nobody before it is turned', async (_, settings, plan) => {
    const match = aTableOfSecrets(settings);
    const others = LIVING.filter((seat) => seat !== 'red');
    const ballots: readonly Ballot[] = ['green', 'blue', 'red', 'skip'];
    const meetings = await Promise.all(
      ballots.map((ballot) => holding(match, { ...plan, red: [4, ballot] })),
    );
    const [first, ...rest] = meetings;
    if (first === undefined) throw new Error('expected a meeting');
    for (const other of rest) {
      expect(othersAsked(other, others, isTold)).toEqual(othersAsked(first, others, isTold));
      const same = lookSame(first, other, 'ballot.revealed', ['table', ...others]);
      expect(same).not.toContain(false);
      // It is there to be seen: by who cast it and by the dead, and by everybody in the end.
      const never = () => false;
      expect(othersAsked(other, ['red'], isTold)).not.toEqual(othersAsked(first, ['red'], isTold));
      expect(othersAsked(other, others, never)).not.toEqual(othersAsked(first, others, never));
      const told = lookSame(first, other, 'ballot.revealed', ['glass', ...DEAD, 'red']);
      expect(told).not.toContain(true);
    }
  });

  test('that is locked is known to be, from the next tick on', async () => {
    const { asked } = await holding(aTableOfSecrets(), { red: [4, 'skip'] });
    for (const { seat, request } of asked) {
      if (seat !== 'blue' || request.kind === 'ghost') continue;
      const red = tableIn(request)?.seats.find(({ colour }) => colour === 'red');
      expect(red).toEqual({ colour: 'red', standing: 'living', voted: request.index > 4 });
    }
  });
});

describe('a role', () => {
  /** The same table with the roles of two players changed for each other. */
  function swapped(match: MeetingMatch, one: Colour, other: Colour): MeetingMatch {
    const roleOf = (colour: Colour) => match.seats.find((seat) => seat.colour === colour)?.role;
    const change = (colour: Colour) =>
      colour === one ? roleOf(other) : colour === other ? roleOf(one) : roleOf(colour);
    const seats = match.seats.map((seat) => ({ ...seat, role: change(seat.colour) ?? seat.role }));
    return { ...match, seats };
  }

  const everybody = (ballot: Ballot): Plan =>
    Object.fromEntries(LIVING.map((seat) => [seat, [5, ballot] as const]));
  const untold: Partial<MeetingMatchInput> = { options: { confirm_ejects: false } };
  type Case = readonly [
    name: string,
    settings: Partial<MeetingMatchInput>,
    swap: readonly [Colour, Colour],
    goes: Ballot,
    isAnnounced: boolean,
  ];
  const cases: readonly Case[] = [
    ['of who stays', {}, ['pink', 'green'], 'orange', false],
    ['of who is ejected', {}, ['pink', 'green'], 'pink', true],
    ['that is not confirmed', untold, ['pink', 'green'], 'pink', false],
    ['of the dead', untold, ['pink', 'black'], 'skip', false],
  ];

  test.each(cases)('%s is revealed to no crewmate before the verdict', async (...one) => {
    const [, settings, swap, goes, isAnnounced] = one;
    const match = aTableOfSecrets(settings);
    const crew = LIVING.filter((seat) => !IMPOSTORS.includes(seat) && !swap.includes(seat));
    const first = await holding(match, everybody(goes));
    const other = await holding(swapped(match, ...swap), everybody(goes));
    const never = () => false;
    expect(othersAsked(other, crew, isTold)).toEqual(othersAsked(first, crew, isTold));
    const [late, early] = [othersAsked(other, crew, never), othersAsked(first, crew, never)];
    if (isAnnounced) expect(late).not.toEqual(early);
    else expect(late).toEqual(early);
    const end = isAnnounced ? 'verdict.announced' : 'meeting.closed';
    expect(lookSame(first, other, end, ['table', ...crew])).not.toContain(false);
    // Partners and ghosts know, and the glass box shows it.
    expect(othersAsked(other, ['blue'], isTold)).not.toEqual(othersAsked(first, ['blue'], isTold));
    expect(lookSame(first, other, end, ['glass', 'white', 'blue'])).not.toContain(true);
  });

  test.each(SEEDS)(
    'a role in a request belongs to the player or a partner (seed %i)',
    async (seed) => {
      const { asked } = await overheard(aTableOfSecrets(), seed, secretive);
      for (const { seat, request, text } of asked) {
        if (request.kind === 'ghost') {
          expect(request.view.truth.seats.map(({ role }) => role)).toContain('impostor');
          continue;
        }
        const table = tableIn(request);
        if (table === null) throw new Error('expected a request at the table');
        const { you } = request.view;
        const isImpostor = IMPOSTORS.includes(seat);
        const partners = IMPOSTORS.filter((partner) => isImpostor && partner !== seat);
        expect([you.role, you.partners]).toEqual([isImpostor ? 'impostor' : 'crewmate', partners]);
        const ejected = table.announced?.ejected ?? null;
        const confirmed =
          ejected === null ? null : IMPOSTORS.includes(ejected) ? 'impostor' : 'crewmate';
        expect(table.announced?.role ?? null).toBe(confirmed);
        expect(text.match(/"role":"/g)).toHaveLength(confirmed === null ? 1 : 2);
      }
    },
  );
});
