import { describe, expect, test } from 'vitest';
import {
  type MeetingRecord,
  NO_PAST,
  type PastSighting,
  type PublicRecord,
  startRecord,
  type WorldTruth,
} from '../../machines/rules/record.ts';
import type { MemoryEntry } from '../../machines/rules/ship/sight.ts';
import type { ActionView } from '../../machines/rules/ship/views.ts';
import type { Colour, Place } from '../../machines/types.ts';
import { listSceneLines } from '../../prompts/action.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { listChoices, listOptions } from '../../prompts/choices.ts';
import { buildPrompt, type PromptRequest } from '../../prompts/prompt.ts';
import { listTruth, writeDeath, writePast, writeRecord } from '../../prompts/recordText.ts';
import {
  writeSeenEarlier,
  writeSeenOnShip,
  writeSelf,
  writeTranscript,
} from '../../prompts/viewText.ts';
import { anIdentity, crewMoment, crewView, ghostView, impostorMoment, TOLD } from './views.ts';

function textOf(asked: PromptRequest): string {
  return joinBlocks(buildPrompt(asked, anIdentity()).user);
}

test.each([
  [true, 'The reveal does not say who voted for whom, and whether'],
  [false, 'The reveal says who voted for whom, and whether'],
])('anonymous votes, %s: %s', (anonymousVotes, expected) => {
  for (const kind of ['discussion', 'voting', 'reaction', 'consolidation'] as const) {
    const text = textOf({ kind, view: crewView({ table: { anonymousVotes } }) });
    expect(text).toContain(expected);
    expect(text.match(/who voted for whom, and/g)).toHaveLength(1);
  }
});

test.each([
  [true, 'for whom, and whether the ejected player was an impostor.'],
  [false, 'for whom, and not whether the ejected player was an impostor.'],
])('confirmed ejections, %s: %s', (confirmEjects, expected) => {
  const text = textOf({ kind: 'discussion', view: crewView({ table: { confirmEjects } }) });
  expect(text).toContain(expected);
});

describe('the request for a missing vote', () => {
  const voting = (closeAfter: number | null) =>
    textOf({
      kind: 'voting',
      view: crewView({ table: { tick: 6, clock: { openAfter: 3, closeAfter } } }),
    });

  test('says how many ticks are left if voting is timed', () => {
    expect(voting(8)).toContain(
      'Voting is open, and it is timed. The poll closes after 2 ticks, this one counted. You have not voted: vote or skip before the time is up. A missed vote is not a skip.',
    );
    expect(voting(7)).toContain('This is the last tick before the poll closes.');
  });

  test('says nothing of running out of time if voting has no limit', () => {
    expect(voting(null)).toContain(
      'Voting is open, without a time limit. You have not voted: vote or skip.\n',
    );
    expect(voting(null)).not.toMatch(/timed|time is up|missed/);
  });
});

describe.each(['reaction', 'consolidation'] as const)('the %s after an ejection', (kind) => {
  const told = (colour: 'red' | 'blue') => {
    const view = crewView({ you: { colour }, table: { announced: { ...TOLD, ejected: 'red' } } });
    return textOf({ kind, view });
  };
  const NOTE = 'You are the ejected player: from now on you are a ghost.';

  test('only the ejected player reads about their new state', () => {
    expect(told('red')).toContain(NOTE);
    expect(told('blue')).not.toContain(NOTE);
  });

  test('counts the ejected player among the living no more', () => {
    expect(told('blue')).toContain('Living: blue, green, pink, black\nEjected: red\nDead: white');
  });

  test('lists all of them as living after a tie', () => {
    const announced = { ...TOLD, outcome: 'tie', ejected: null } as const;
    const text = textOf({ kind, view: crewView({ table: { announced } }) });
    expect(text).toContain('Living: red, blue, green, pink, black\nDead: white');
    expect(text).not.toContain('Ejected:');
  });
});

test('ghosts read the ballots until they are revealed, and then the reveal alone', () => {
  const before = textOf({ kind: 'ghost', view: ghostView() });
  expect(before).toContain('# The ballots (ghosts only)\ngreen→red.');
  const truth = { ...ghostView().truth, announced: TOLD };
  const after = textOf({ kind: 'ghost', view: ghostView({ requestKind: 'reaction', truth }) });
  expect(after).not.toContain('# The ballots');
  expect(after).toContain('# The engine: the reveal');
  expect(after.match(/This is meeting 1\./g)).toHaveLength(1);
});

test('a player inside a vent is offered what is possible there, and nothing else', () => {
  const outside = textOf({ kind: 'action', view: impostorMoment() });
  const inside = textOf({ kind: 'action', view: impostorMoment({ scene: { vent: 3 } }) });
  expect(outside).toContain('# You can always\n');
  expect(inside).not.toContain('# You can always\n');
  expect(inside).toContain('- {"type":"surface"}'.replaceAll(':', ': '));
});

test.each([
  [0, 'Living at the start: red, blue'],
  [1, 'Living after the last meeting: red, blue'],
])('after %i meetings: %s', (count, expected) => {
  const { record } = crewMoment();
  const call = { by: 'red', kind: 'button', body: null, place: null } as const;
  const meetings = Array.from({ length: count }, () => ({ call, result: null }));
  const view = crewMoment({ record: { ...record, meetings } });
  expect(textOf({ kind: 'action', view })).toContain(expected);
});

describe('the record of the game', () => {
  const button = { by: 'pink', kind: 'button', body: null, place: null } as const;
  const report = { by: 'green', kind: 'body', body: 'white', place: 'Electrical' } as const;
  const skipped: MeetingRecord['result'] = {
    ...{ outcome: 'skipped', ejected: null, role: null, remaining: 2 },
    sentence: 'No one was ejected. (Skipped) 2 Impostors remain.',
    ballots: [
      { voter: null, ballot: 'skip', void: false },
      { voter: null, ballot: 'tan', void: true },
    ],
  };
  const loss = (
    who: Colour,
    how: PublicRecord['losses'][number]['how'],
    where: PublicRecord['losses'][number]['where'],
    meeting: number,
  ) => ({ who, how, where, meeting });
  const record: PublicRecord = {
    impostors: 2,
    bar: { done: 9, all: 28 },
    meetings: [
      { call: report, result: skipped },
      { call: button, result: null },
      { call: button, result: { ...TOLD, ballots: [] } },
    ],
    losses: [
      loss('white', 'killed', 'ship', 1),
      loss('tan', 'left', 'table', 1),
      loss('blue', 'killed', 'ship', 3),
      loss('lime', 'killed', 'ship', 3),
      loss('red', 'ejected', 'table', 3),
    ],
  };

  test('has each meeting, the losses by cause and meeting, and the tasks', () => {
    expect(writeRecord(record, true)).toBe(
      [
        '# The game so far',
        'Impostors at the start: 2. Left, as last announced: 1.',
        'This is meeting 4.',
        '- Meeting 1: green reported the body of white in Electrical. No one was ejected. (Skipped) 2 Impostors remain. Votes: a player→skip, a player→tan (void).',
        '- Meeting 2: pink pressed the button. It ended without a count.',
        '- Meeting 3: pink pressed the button. Red was An Impostor. 1 Impostor remains. No votes.',
        'Killed before meeting 1: white.',
        'Left the game at meeting 1: tan.',
        'Killed before meeting 3: blue, lime.',
        'Ejected at meeting 3: red.',
        'Tasks of the whole crew: 9 of 28 steps.',
      ].join('\n'),
    );
    const onShip = writeRecord(record, false);
    expect(onShip).toContain('\nMeetings so far: 3.\n');
    expect(onShip).not.toContain('Tasks of the whole crew');
  });

  test.each<[number | null, MeetingRecord['result'][], string]>([
    [null, [], 'The number of impostors is not announced.'],
    [null, [TOLD], 'The number of impostors is not announced. Left at the last reveal: 1.'],
    [2, [], 'Impostors at the start: 2.'],
    [2, [null], 'Impostors at the start: 2. Left, as last announced: 2.'],
    [2, [skipped, null], 'Impostors at the start: 2. Left, as last announced: 2.'],
    [
      2,
      [{ ...TOLD, role: null, remaining: null }],
      'Impostors at the start: 2. How many are left has not been announced.',
    ],
  ])('of %j impostors and %# says how many are left', (impostors, results, line) => {
    const meetings = results.map((result) => ({ call: button, result }));
    expect(writeRecord({ ...startRecord(impostors), meetings }, true).split('\n')[1]).toBe(line);
  });

  test('dates own deeds by the next meeting, and those after the last one by the end', () => {
    const deed = (meeting: number, ago: number) =>
      ({ type: 'sabotage', system: 'lights', meeting, ago }) as const;
    const past = {
      ...NO_PAST,
      deeds: [deed(1, 30), deed(1, 10), deed(2, 5)],
      votes: [{ meeting: 1, ballot: null }] as const,
    };
    expect(writePast(past, 1)).toBe(
      [
        '# What you did yourself',
        '- Before meeting 1 you sabotaged lights (30 s); sabotaged lights (10 s)',
        '- Before the end you sabotaged lights (5 s)',
        '- Your votes: none at meeting 1',
      ].join('\n'),
    );
    expect(writePast(past)).toContain('- Before meeting 2 you sabotaged lights (5 s)');
  });

  const kill = (by: Colour, victim: Colour, place: Place, meeting: number) =>
    ({ type: 'kill', by, victim, place, meeting, ago: 10 * meeting, at: 50 * meeting }) as const;
  const world: WorldTruth = {
    places: { red: 'Admin', blue: 'Storage' },
    tasks: { blue: { done: 2, of: 5 } },
    impostors: { red: { wait: 10, hidden: false, faking: true } },
    crisis: { system: 'reactor', seconds: 20 },
    sabotageWait: 0,
    shut: ['Storage', 'Electrical'],
    deeds: [
      kill('red', 'white', 'O2', 1),
      kill('red', 'green', 'Admin', 1),
      kill('red', 'pink', 'O2', 2),
    ],
  };
  const seats = [
    { colour: 'red', role: 'impostor', standing: 'living' },
    { colour: 'blue', role: 'crewmate', standing: 'living' },
    { colour: 'pink', role: 'crewmate', standing: 'dead' },
  ] as const;
  const held = { ...startRecord(1), meetings: [{ call: button, result: null }] };

  test('tells ghosts on the ship of now, and dates deeds since the last meeting by the clock', () => {
    expect(listTruth({ seats, world }, held, false)).toEqual([
      '- red: impostor, living, in Admin, faking a task, can kill in 10 s',
      '- blue: crewmate, living, in Storage, tasks 2 of 5 steps',
      '- pink: crewmate, dead',
      'Now: sabotage reactor, 20 s left; the next one possible now; doors shut: Storage, Electrical',
      'What nobody living was told:',
      '- Seconds before meeting 1: 10 s red killed white in O2; 10 s red killed green in Admin',
      '- Seconds of the game: 100 s red killed pink in O2',
    ]);
  });

  test('tells ghosts at the table of the call, and of the kills before it where there is no ship', () => {
    const atTable = listTruth({ seats, world: { ...world, crisis: null, shut: [] } }, held, true);
    expect(atTable).toContain(
      '- red: impostor, living, in Admin at the call, faking a task, can kill in 10 s',
    );
    expect(atTable).toContain(
      'At the call: sabotage none; the next one possible now; doors shut: none',
    );
    expect(atTable.at(-1)).toBe('- Seconds before meeting 2: 20 s red killed pink in O2');
    const kills = [kill('red', 'pink', 'Admin', 1)];
    expect(listTruth({ seats, world: null, kills }, startRecord(1), true).at(-1)).toBe(
      '- Seconds before meeting 1: 10 s red killed pink in Admin',
    );
  });

  test('tells ghosts who killed them, and the others that they are ghosts', () => {
    expect(writeDeath('green', { seats, world })).toBe('You are dead: red killed you in Admin.');
    expect(writeDeath('blue', { seats, world })).toBe('You are dead: a ghost.');
    const kills = [kill('red', 'pink', 'Admin', 1)];
    expect(writeDeath('pink', { seats, world: null, kills })).toBe(
      'You are dead: red killed you in Admin.',
    );
    expect(writeDeath('pink', null)).toBe('You are dead: a ghost.');
  });
});

describe('what a player saw', () => {
  const entry = (who: Colour, place: Place, from: number, until = from): MemoryEntry => {
    return { who, place, did: 'passing', from, until };
  };

  test('on the ship is in the order in which it ended, faded sights first', () => {
    const memory = [entry('pink', 'Admin', 6, 9), entry('green', 'O2', 7), entry('blue', 'O2', 7)];
    const text = writeSeenOnShip({ faded: [entry('white', 'Storage', 2)], memory }, 'blue');
    expect(text).toBe(
      [
        '# What you saw yourself (seconds of the game)',
        'Your way: 17.5 O2',
        'Whom you saw:',
        '5 Storage: white',
        '17.5 O2: green',
        '15 to 22.5 Admin: pink',
      ].join('\n'),
    );
  });

  test('before earlier meetings is by meeting and oldest first, with the own deeds, and counts what is left out', () => {
    const sight = (
      meeting: number,
      ago: number,
      who: Colour,
      did: PastSighting['did'] = 'passing',
    ) => ({ meeting, ago, who, did, place: 'Admin' }) as const;
    const sightings = [
      sight(1, 30, 'green'),
      sight(1, 20, 'blue'),
      sight(1, 10, 'blue', 'task'),
      sight(1, 5, 'pink', 'dead'),
      sight(2, 40, 'red', 'vent'),
    ];
    expect(writeSeenEarlier({ ...NO_PAST, sightings, forgotten: 3 }, 'blue')).toBe(
      [
        '# What you saw yourself before earlier meetings',
        '… 3 earlier sights left out',
        'Seconds before meeting 1:',
        'Your way: 10 Admin, at a task',
        'Whom you saw:',
        '30 Admin: green',
        '5 Admin: pink lying dead',
        'Seconds before meeting 2:',
        'Whom you saw:',
        '40 Admin: red using a vent',
      ].join('\n'),
    );
    expect(writeSeenEarlier({ ...NO_PAST, sightings }, 'blue')).not.toContain('left out');
  });

  test('ends a request with the last sight of each other living player', () => {
    const sightings = [
      { ago: 5, who: 'green', place: 'Admin', did: 'passing' },
      { ago: 60, who: 'green', place: 'Storage', did: 'passing' },
      { ago: 10, who: 'white', place: 'O2', did: 'passing' },
      { ago: 20, who: 'red', place: 'O2', did: 'passing' },
    ] as const;
    const view = crewView({ you: { brief: { sightings, notes: '' } } });
    expect(textOf({ kind: 'discussion', view })).toContain(
      '\nYou last saw red in O2 20 s before, green in Admin 5 s before.',
    );
  });
});

test('an impostor may vote for partners too, but they are named last', () => {
  const view = crewView({ you: { colour: 'blue', role: 'impostor', partners: ['red', 'pink'] } });
  const text = textOf({ kind: 'discussion', view });
  expect(text).toContain('You may vote for green, black, red, pink or skip.');
  expect(text).toContain('Fellow impostors: red and pink.');
});

test('a ghost’s words stand where the meeting was when they were said', () => {
  const said = (tick: number) =>
    ({ tick, speaker: 'red', target: null, message: `m${tick}` }) as const;
  const chat = [
    { speaker: 'white', message: 'first', heard: 0 },
    { speaker: 'white', message: 'then', heard: 1 },
    { speaker: 'tan', message: 'also', heard: 1 },
    { speaker: 'tan', message: 'last', heard: 2 },
  ] as const;
  const text = joinBlocks(writeTranscript([said(0), said(1)], chat));
  const words = [...text.matchAll(/"message":"(\w+)"/g)].map(([, word]) => word);
  expect(words).toEqual(['first', 'm0', 'then', 'also', 'm1', 'last']);
});

test('a player reads the last ten lessons of earlier games', () => {
  const learned = Array.from({ length: 12 }, (_, index) => `lesson ${index}`);
  const text = writeSelf(crewView().you, anIdentity({ learned }));
  expect(text.match(/lesson \d+/g)).toEqual(learned.slice(2));
});

describe('an action is offered only', () => {
  const offered = (view: ActionView, type: string) =>
    listOptions(view)
      .filter(({ action }) => action.type === type)
      .map(({ action }) => action['whom'] ?? action['to'] ?? action['system'] ?? action['vent']);
  const here = [
    { who: 'white', place: 'Electrical' },
    { who: 'pink', place: 'Electrical' },
    { who: 'green', place: 'Electrical hallway' },
    { who: 'black', place: 'Storage' },
  ] as const;
  const options = (killDistance: 'normal' | 'long') => {
    return { ...impostorMoment().options, killDistance };
  };
  const body = (place: Place) => ({ victim: 'tan', place }) as const;
  const crisis = {
    system: 'o2',
    seconds: 20,
    consoles: ['O2', 'Admin'],
    done: ['Admin'],
  } as const;

  test.each<[string, ActionView, string, readonly unknown[]]>([
    [
      'kills of others in the own place',
      impostorMoment({ scene: { here }, options: options('normal') }),
      'kill',
      ['white'],
    ],
    [
      'kills in the next places with a long reach',
      impostorMoment({ scene: { here }, options: options('long') }),
      'kill',
      ['white', 'green'],
    ],
    ['kills after the cooldown', impostorMoment({ scene: { here, killWait: 2.5 } }), 'kill', []],
    ['kills to impostors', crewMoment({ scene: { here } }), 'kill', []],
    [
      'reports of a body in the own place',
      crewMoment({ scene: { bodies: [body('Storage'), body('Admin')] } }),
      'report',
      ['tan'],
    ],
    ['the button without a wait', crewMoment({ scene: { buttonWait: 0 } }), 'button', [undefined]],
    ['no button after its wait', crewMoment({ scene: { buttonWait: 2.5 } }), 'button', []],
    [
      'no button if none is left',
      crewMoment({ scene: { buttonWait: 0, buttons: 0 } }),
      'button',
      [],
    ],
    ['no button in a crisis', crewMoment({ scene: { buttonWait: 0, crisis } }), 'button', []],
    ['consoles that are not done', crewMoment({ scene: { crisis } }), 'fix', ['O2']],
    ['no repairs in peace', crewMoment(), 'fix', []],
    ['a sabotage without a wait', impostorMoment(), 'sabotage', []],
    [
      'every system without a crisis',
      impostorMoment({ scene: { sabotageWait: 0 } }),
      'sabotage',
      ['reactor', 'o2', 'lights', 'comms'],
    ],
    [
      'no sabotage in a crisis',
      impostorMoment({ scene: { sabotageWait: 0, crisis } }),
      'sabotage',
      [],
    ],
    ['vents of the own place', impostorMoment(), 'vent', ['3']],
    ['linked vents inside one', impostorMoment({ scene: { vent: 3 } }), 'vent', ['5', '6']],
    ['climbing out of a vent', impostorMoment({ scene: { vent: 3 } }), 'surface', [undefined]],
    ['no walk in a vent', impostorMoment({ scene: { vent: 3 } }), 'go', []],
    ['doors that can be shut', impostorMoment(), 'shut', ['Electrical', 'Storage']],
  ])('%s', (_, view, type, targets) => {
    expect(offered(view, type)).toEqual(targets);
  });

  test.each([
    ['ghosts of the crew', crewMoment({ you: { isGhost: true } }), ['task', 'go', 'wait']],
    [
      'ghosts of impostors',
      impostorMoment({ you: { isGhost: true }, scene: { sabotageWait: 0 } }),
      ['sabotage', 'shut', 'go', 'wait'],
    ],
  ])('to %s what ghosts do', (_, view, types) => {
    expect([...new Set(listOptions(view).map(({ action }) => action.type))]).toEqual(types);
  });

  test('the first way leads to no shut room, and out of a shut one', () => {
    const first = (place: Place, shut: ActionView['scene']['shut']) =>
      offered(crewMoment({ scene: { place, shut } }), 'go')[0];
    expect(first('MedBay', ['MedBay'])).toBe('MedBay hallway');
    expect(first('MedBay hallway', ['Cafeteria', 'MedBay'])).toBe('Upper Engine');
  });
});

describe('the offers on the ship', () => {
  const moment = impostorMoment();
  const offered = (view: ActionView, type: string) =>
    listOptions(view).flatMap(({ action }) => (action.type === type ? [action] : []));

  test('no system that the map has not is sabotaged', () => {
    const { scene, map } = impostorMoment({ scene: { sabotageWait: 0, crisis: null } });
    const consoles = { ...map.consoles, reactor: [] };
    const view = { ...moment, scene, map: { ...map, consoles } };
    const systems = offered(view, 'sabotage').map(({ system }) => system);
    expect(systems.toSorted()).toEqual(['comms', 'lights', 'o2']);
  });

  test.each([
    [1, 0, true],
    [2, 0, false],
    [2, 1, true],
  ])(
    'a visual task of %i steps with %i done is said to prove something: %s',
    (of, steps, proves) => {
      const { tasks } = crewMoment().scene;
      const cards = tasks
        .slice(0, 1)
        .map((card) => ({ ...card, next: 'MedBay' as const, visual: true, of, steps }));
      const meanings = listChoices(crewMoment({ scene: { tasks: cards } })).map(
        ({ meaning }) => meaning,
      );
      expect(meanings.some((meaning) => meaning.includes('visual'))).toBe(proves);
    },
  );

  test.each([
    [['MedBay'], 'as soon as the doors open again'],
    [['Cafeteria'], 'or any other place of the map'],
  ] as const)('with %j shut, a player in MedBay may go %s', (shut, meaning) => {
    const view = crewMoment({ scene: { place: 'MedBay', shut: [...shut] } });
    const ways = listChoices(view).filter(({ actions }) => actions[0]?.type === 'go');
    expect(ways.map((way) => [way.actions[0]?.['to'], way.meaning])).toEqual([
      ['MedBay hallway', meaning],
    ]);
  });

  test('no sabotage is announced while a system is sabotaged', () => {
    const crisis = { system: 'lights', seconds: null, consoles: ['Electrical'], done: [] } as const;
    const lines = (scene: object) =>
      listSceneLines(impostorMoment({ scene })).filter((line) =>
        line.startsWith('You can sabotage'),
      );
    expect(lines({ sabotageWait: 5, crisis: null })).toHaveLength(1);
    expect(lines({ sabotageWait: 5, crisis })).toEqual([]);
  });
});
