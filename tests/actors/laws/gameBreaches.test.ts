import { expect, test } from 'vitest';
import type { EventFields, Line, LineOf } from '../../../machines/journal/lines.ts';
import { findGameViolations } from './gameProperties.ts';
import { aLobby, gameLines, playGame } from './journeys.ts';

const game = playGame(aLobby(8, { max_ticks: 30, vote_after: 2 }), 4);

type Round = LineOf<'round.closed'>;

const rounds = (lines: readonly Line[]) =>
  lines.filter((line): line is Round => line.type === 'round.closed');

function change<T extends EventFields['type']>(
  lines: readonly Line[],
  type: T,
  edit: (event: Extract<EventFields, { type: T }>, line: Round) => void,
): void {
  for (const line of rounds(lines)) {
    for (const event of line.events) {
      if (!isOf(event, type)) continue;
      edit(event, line);
      return;
    }
  }
  throw new Error(`no ${type} in this game`);
}

function isOf<T extends EventFields['type']>(
  event: EventFields,
  type: T,
): event is Extract<EventFields, { type: T }> {
  return event.type === type;
}

function remove(lines: Line[], type: Line['type']): void {
  lines.splice(0, lines.length, ...lines.filter((line) => line.type !== type));
}

const BREACHES: Readonly<Record<string, (lines: Line[]) => void>> = {
  'somebody was killed twice': (lines) =>
    change(lines, 'player.killed', (event, line) => void line.events.push(event)),
  'a far kill': (lines) =>
    change(lines, 'player.killed', (event) => {
      event.place = event.place === 'O2' ? 'Reactor' : 'O2';
    }),
  ' went from ': (lines) => {
    const line = rounds(lines).find(({ paths }) => paths.red !== undefined);
    if (line !== undefined) line.paths.red = [line.paths.red?.[0] === 'O2' ? 'Reactor' : 'O2'];
  },
  ' ran': (lines) => {
    rounds(lines)
      .find(({ paths }) => paths.red !== undefined)
      ?.paths.red?.push('Cafeteria');
  },
  ' did step ': (lines) =>
    change(lines, 'task.stepped', (event) => {
      event.steps += 1;
    }),
  ' worked while walking': (lines) =>
    change(lines, 'task.stepped', (event, line) => {
      line.paths[event.seat] = ['Admin hallway'];
    }),
  ' was asked': (lines) =>
    change(lines, 'player.killed', (event, line) => {
      rounds(lines)[line.round + 1]?.orders.push({ seat: event.victim, received: null });
    }),
  ' did something': (lines) =>
    change(lines, 'player.killed', (event, line) => {
      const next = rounds(lines)[line.round + 1];
      if (next !== undefined) next.deeds[event.victim] = 'task';
    }),
  'the game has no end': (lines) => remove(lines, 'game.closed'),
  'a round in a meeting': (lines) => remove(lines, 'meeting.closed'),
  ' after the end': (lines) => {
    const round = rounds(lines)[0];
    if (round !== undefined) lines.push({ ...round, seq: 9999 });
  },
  ', not ': (lines) => {
    const end = lines.find((line) => line.type === 'game.closed');
    if (end !== undefined) end.reason = end.reason === 'vote' ? 'tasks' : 'vote';
  },
  ' called and is not among the living': (lines) => {
    const call = lines.find((line) => line.type === 'meeting.called');
    if (call?.body) call.by = call.body;
  },
  'a body from afar': (lines) => {
    const call = lines.find((line) => line.type === 'meeting.called' && line.kind === 'body');
    if (call?.type === 'meeting.called') call.place = 'nowhere';
  },
  ' voted twice': (lines) => {
    const at = lines.findIndex((line) => line.type === 'vote.locked');
    const vote = lines[at];
    if (vote !== undefined) lines.splice(at, 0, vote);
  },
  'instead of': (lines) => {
    const [first] = rounds(lines);
    if (first !== undefined) first.round = 7;
  },
};

test('a game as it was played breaks no property', async () => {
  expect(findGameViolations(gameLines(await game))).toEqual([]);
});

test.each(Object.entries(BREACHES))('notices "%s"', async (text, edit) => {
  const lines = structuredClone(gameLines(await game));
  edit(lines);
  expect(findGameViolations(lines).join('\n')).toContain(text);
});
