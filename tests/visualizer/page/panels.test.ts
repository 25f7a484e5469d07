import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Lens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { isMeeting } from '../../../machines/setup/match.ts';
import { listAllProperties } from '../../../proofs/checks/meetingConfigurations.ts';
import { HEARD } from '../../../proofs/models/arbiter.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { readFacts } from '../../../visualizer/page/build/facts.ts';
import { chosen } from '../../../visualizer/page/game/panels/chart.tsx';
import {
  describePromises,
  hasPromises,
  Promises,
} from '../../../visualizer/page/game/panels/promises.tsx';
import { listTabs, PANELS } from '../../../visualizer/page/game/panels.ts';
import { StakeBar } from '../../../visualizer/page/game/stakes.tsx';
import { jumpTo } from '../../../visualizer/page/game/state/navigation.ts';
import {
  length,
  moment,
  openSeen,
  openWhole,
  pane,
  startSession,
  whyNotes,
} from '../../../visualizer/page/game/state/session.ts';
import type { WhyNotes } from '../../../visualizer/page/game/story/pageData.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
const LENSES: readonly Lens[] = [GLASS, { type: 'table' }, { type: 'player', seat: 'red' }];
let meeting: readonly Line[];
let game: readonly Line[];

beforeAll(async () => {
  startSession(await readFacts());
  meeting = await recordedMeeting('electrical', 7);
  game = await recordedGame(2);
});

function open(lines: readonly Line[], lens: Lens): void {
  openWhole(lines, lens);
  jumpTo(0);
}

function textOf(id: string): string | null {
  const panel = PANELS.find((each) => each.id === id);
  if (panel === undefined) throw new Error(`there is no panel ${id}`);
  if (panel.isShown?.() === false) return null;
  return renderToString(h(panel.Component, {}))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

function goTo(type: Line['type']): void {
  for (let step = 0; step < length.value; step++) {
    jumpTo(step);
    if (moment.value?.line.type === type) return;
  }
  throw new Error(`there is no moment of ${type}`);
}

test.each(LENSES)('a file whose header omits the mind of the dead opens through %o', (lens) => {
  const [header] = meeting;
  if (header?.type !== 'match.opened' || !isMeeting(header.match))
    throw new Error('this is no meeting');
  const seats = header.match.seats.map(({ mind, ...seat }) =>
    seat.dead ? seat : { ...seat, mind },
  );
  const raw = JSON.parse(JSON.stringify({ ...header, match: { ...header.match, seats } }));
  expect(seats.some((seat) => !('mind' in seat))).toBe(true);
  open([raw, ...meeting.slice(1)], lens);
  expect(moment.value?.players).toHaveLength(7);
});

describe('the list of panels', () => {
  test('gives each a name of its own', () => {
    expect(new Set(PANELS.map(({ id }) => id)).size).toBe(PANELS.length);
  });

  test('a narrow screen has a tab for each pane, with the ship only in games', () => {
    open(game, GLASS);
    expect(listTabs()).toEqual(['story', 'bids', 'ship', 'chart', 'minds', 'moments']);
    open(meeting, GLASS);
    expect(listTabs()).toEqual(['story', 'bids', 'chart', 'minds', 'moments']);
  });

  test('has the tab that the page begins with', () => {
    expect(listTabs()).toContain(pane.value);
  });
});

test.each(PANELS.map(({ id }) => id))(
  '%s can be drawn at every moment, through each lens',
  (id) => {
    for (const lines of [meeting, game])
      for (const lens of LENSES) {
        open(lines, lens);
        for (let step = 0; step < length.value; step += 7) {
          jumpTo(step);
          expect(() => textOf(id), `${lens.type}, step ${step}`).not.toThrow();
        }
      }
  },
);

describe('the stake bar', () => {
  const curve = (): WhyNotes => {
    const rounds = game.filter(({ type }) => type === 'round.closed');
    const [first, last] = [rounds[0]?.seq ?? 0, rounds.at(-1)?.seq ?? 0];
    const turn = {
      at: `${last}`,
      when: 'in meeting 1, tick 4',
      from: 0.6,
      to: 0.2,
      grade: 'blunder',
    } as const;
    return {
      stakes: {
        continuations: 20,
        standIns: ['red'],
        points: [
          { at: `${first}`, crew: 0.6 },
          { at: `${last}`, crew: 0.2 },
        ],
        turns: [{ ...turn, what: 'a secret of Red' }],
      },
      credits: [],
    };
  };
  const barText = () => renderToString(h(StakeBar, {})).replace(/<[^>]*>/g, ' ');

  test('says the chance, from how many continuations and who went on, through the glass at once', () => {
    open(game, GLASS);
    whyNotes.value = curve();
    expect(barText()).toMatch(/crew 60 % .*20 continuations .*stand-ins for Red/);
    jumpTo(7);
    // What is to come belongs to neither side.
    const drawn = renderToString(h(StakeBar, {}));
    expect(drawn).toContain('class="impostors" d="M0 0V100H7V0Z"');
    expect(drawn).toMatch(/class="crew" d="[^"]*H7V100Z"/);
    jumpTo(length.value - 1);
    expect(barText()).toContain('crew 20 %');
    expect(textOf('moments')).toContain(
      'Turning point, a blunder: crew 60 % → 20 % in meeting 1, tick 4. A secret of Red.',
    );
  });

  test.each(LENSES.slice(1))('is shown at the end only, and without words, through %o', (lens) => {
    open(game, lens);
    whyNotes.value = curve();
    for (let step = 0; step < length.value - 1; step++) {
      jumpTo(step);
      if (moment.value?.ending == null) expect(barText()).toBe('');
    }
    jumpTo(length.value - 1);
    expect(barText()).toContain('crew 20 %');
    expect(textOf('moments')).toContain(
      'Turning point, a blunder: crew 60 % → 20 % in meeting 1, tick 4.',
    );
    expect(textOf('moments')).not.toContain('secret');
  });

  test('is not there where nobody has asked', () => {
    open(game, GLASS);
    whyNotes.value = null;
    expect(barText()).toBe('');
  });
});

describe('the cards', () => {
  const cardText = () => textOf('feed') ?? '';

  test('open with who plays and the rules, and give no role away but through the glass', () => {
    for (const lens of LENSES) {
      open(game, lens);
      expect(cardText()).toMatch(/8 players · \d impostors? · The Skeld · house rules/);
      expect(cardText().match(/a script/g)).toHaveLength(8);
      const roles = cardText().match(/>?(impostor|crewmate) ·/g) ?? [];
      expect(roles).toHaveLength({ glass: 8, table: 0, player: 1 }[lens.type]);
    }
  });

  test('close with the length, the last vote and who was who, through every lens', () => {
    for (const lens of LENSES) {
      open(game, lens);
      jumpTo(length.value - 1);
      expect(cardText()).toMatch(/Length .*meetings?, \d+ messages/);
      expect(cardText()).toContain('Last vote');
      expect(cardText().match(/(impostor|crewmate) ·/g)?.length).toBeGreaterThanOrEqual(8);
    }
  });
});

describe('the bids of a tick', () => {
  test('say who has the floor, and through the glass why', () => {
    open(meeting, GLASS);
    expect(textOf('bids')).toContain('Nobody has bid yet.');
    goTo('tick.closed');
    expect(textOf('bids')).toMatch(/has the floor\..* Priority, term by term/);
  });

  test('are hidden from the table', () => {
    open(meeting, { type: 'table' });
    goTo('tick.closed');
    expect(textOf('bids')).toContain('The table does not see bids');
  });
});

const show = (lines: readonly Line[], lens: Lens) => {
  openSeen(seeWithMoves(lines, lens), lens);
};

describe('the states above the chart', () => {
  test('make room for the line at which the machines stop, and for the reason', () => {
    const at = meeting.findIndex(({ type }) => type === 'tick.closed');
    const forge = (line: Line): Line =>
      line.type === 'tick.closed' ? { ...line, scores: line.scores.toReversed() } : line;
    show(meeting.with(at, forge(meeting[at] as Line)), GLASS);
    jumpTo(length.value - 1);
    const line = meeting[at]?.seq;
    expect(textOf('chart')).toMatch(
      new RegExp(
        `^ discussion › bidding The machines stop at line ${line}: expected scores\\.0\\.\\w+ .{1,60}, found .{1,60}\\. A body `,
      ),
    );
  });

  test('say the end of the meeting once', () => {
    show(meeting, GLASS);
    jumpTo(length.value - 1);
    expect(textOf('chart')).toMatch(/so the meeting is over\. (?!The meeting is over)/);
  });

  test.each([
    ['not begun', 'meeting', show, GLASS],
    ['hidden from this lens', 'arbiter', show, { type: 'table' }],
    ['unknown', 'game', open, GLASS],
  ] as const)('are %s where none of the %s is known', (words, chart, openGame, lens) => {
    openGame(game, lens);
    chosen.value = chart;
    jumpTo(0);
    expect(textOf('chart')).toContain(words);
    chosen.value = null;
  });
});

describe('proved from here', () => {
  test('names properties that the checker proves', () => {
    const known = [...listAllProperties().map(({ name }) => name), HEARD];
    const told = new Set<string>();
    for (const lens of LENSES) {
      show(meeting, lens);
      for (let step = 0; step < length.value; step++) {
        jumpTo(step);
        const html = renderToString(h(Promises, {}));
        for (const [, name = ''] of html.matchAll(/title="Proved: ([^.]*)\./g)) told.add(name);
      }
    }
    expect(told.size).toBe(5);
    expect([...told].filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each([[5], [[5]], [[{ type: 'floor' }]]])('is empty for a forged %j', (promises) => {
    const [line] = seeWithMoves(meeting, GLASS);
    if (line === undefined) throw new Error('the meeting has no line');
    openSeen([Object.assign(line, { promises })], GLASS);
    jumpTo(0);
    expect(hasPromises()).toBe(false);
  });

  test('is empty once the machines refuse a line, and where nothing is known', () => {
    const at = meeting.findIndex(({ type }) => type === 'tick.closed');
    show(meeting.toSpliced(at + 3, 1), GLASS);
    jumpTo(at - 1);
    expect(hasPromises()).toBe(true);
    expect(describePromises()).toMatch(/^\w+, if bidding, speaks within \d+ ticks? of talk/);
    jumpTo(length.value - 1);
    expect(hasPromises()).toBe(false);
    open(meeting, GLASS);
    expect(hasPromises()).toBe(false);
  });
});
