import { describe, expect, test } from 'vitest';
import { IdealObserver } from '../../../actors/minds/deduction/teams.ts';
import type { LightMind, Mind } from '../../../actors/minds/port.ts';
import { reason } from '../../../actors/minds/scripted/knowledge.ts';
import { collectEvidence } from '../../../analysis/observer/evidence.ts';
import { listen } from '../../../analysis/observer/judgement.ts';
import { threefry } from '../../../machines/rules/dice.ts';
import { meetingNumber } from '../../../machines/rules/record.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import { COLOURS } from '../../../machines/types.ts';
import { describeLong, seeds, testLong } from '../../support/seeds.ts';
import {
  endMeetingOf,
  type Moment,
  openMoment,
  playOn,
  type SmallTable,
  teamsByBruteForce,
} from './bruteForce.ts';
import { impostorsOf, playGame } from './games.ts';

/** The teams as the observer has them at the last meeting of a moment. */
function teamsByReason({ lines, witness }: Moment): readonly string[] {
  const evidence = collectEvidence(lines, witness).at(-1);
  if (evidence === undefined) throw new Error('no meeting was found');
  const teams = new IdealObserver(evidence.witness).listTeams(evidence);
  return teams.map((team) => team.join()).sort();
}

const WALKS = { walks: true, kills: true, vents: true, reports: true, buttons: true };
// The task bar is no evidence that is read.
const OPTIONS = { buttons: 9, killCooldown: 5, impostors: 1, taskBar: 'never' } as const;
const TABLES: Readonly<Record<string, SmallTable>> = {
  'four players': {
    players: 4,
    impostors: 1,
    options: OPTIONS,
    environment: { ...WALKS, tasks: true },
  },
  'four players, who stand still for a kill': {
    players: 4,
    impostors: 1,
    options: { ...OPTIONS, killDistance: 'short' },
    environment: WALKS,
  },
  'four players with long arms': {
    players: 4,
    impostors: 1,
    options: { ...OPTIONS, killDistance: 'long' },
    environment: WALKS,
  },
};

const LARGE_TABLE: SmallTable = {
  players: 5,
  impostors: 1,
  options: { ...OPTIONS, killCooldown: 2.5 },
  environment: { ...WALKS, tasks: false },
};

/** Plays at random and compares at every meeting; says how many of them there were and how many teams were ruled out. */
function compareAlong(table: SmallTable, seed: number, rounds: number) {
  const draw = (index: number, below: number) => threefry([seed, 0], [index, 7])[0] % below;
  const colours = COLOURS.slice(0, table.players);
  const witness = colours[draw(0, colours.length)] ?? 'red';
  const others = colours.filter((colour) => colour !== witness);
  const team = others.filter((_, index) => (index + seed) % others.length < table.impostors);
  const found = { meetings: 0, excluded: 0 };
  let moment: Moment | null = openMoment(table, witness, team);
  for (let round = 1; round <= rounds; round++) {
    moment = playOn(table, moment, {
      isCalled: draw(round + 3000, 3) === 0,
      pick: (ways) => draw(round, ways),
    });
    if (moment === null) break;
    const { call, world } = moment.truth.course;
    if (call === null) continue;
    const expected = teamsByBruteForce(moment);
    expect(teamsByReason(moment), `seed ${seed}, round ${round}`).toEqual(expected);
    found.meetings += 1;
    found.excluded += others.length - expected.length;
    const living = colours.filter((colour) => world.standings[colour] === 'living');
    const ejected = living[draw(round + 2000, 2 * living.length)] ?? null;
    moment = endMeetingOf(moment, ejected);
    if (moment === null) break;
  }
  return found;
}

describeLong('possible teams are those that can have been played', () => {
  testLong.each(Object.entries(TABLES))('%s', (_name, table) => {
    const all = { meetings: 0, excluded: 0 };
    // Seeds of games that teach a crewmate much.
    for (let seed = seeds(13, 1); seed <= seeds(17, 150); seed++) {
      const { meetings, excluded } = compareAlong(table, seed, seeds(6, 8));
      all.meetings += meetings;
      all.excluded += excluded;
    }
    expect(all.meetings).toBeGreaterThan(4);
    expect(all.excluded).toBeGreaterThan(7);
  });

  testLong('five players', () => {
    let meetings = 0;
    for (let seed = 1; seed <= 40; seed++) meetings += compareAlong(LARGE_TABLE, seed, 6).meetings;
    expect(meetings).toBeGreaterThan(20);
  });
});

describe('whole games', () => {
  const variants = [
    {},
    { player_speed: 0.75 },
    { player_speed: 1.5, kill_distance: 'long' },
    { kill_distance: 'short', crew_vision: 2.5 },
    { show_impostors: false },
    { confirm_ejects: false },
    { player_speed: 2.25, attention: 'all' },
  ] as const;
  const games = seeds(4, 300);

  test(`the true team is always possible, and players know what the analysis knows (${games} games)`, async () => {
    let meetings = 0;
    let asked = 0;
    for (let seed = 1; seed <= games; seed++) {
      const views: LivingView[] = [];
      const noting = (mind: Mind): Mind =>
        mind.pace !== 'at-once'
          ? mind
          : {
              pace: 'at-once',
              answer: (request) => {
                if (request.kind === 'discussion') views.push(request.view);
                return mind.answer(request);
              },
            };
      const lines = await playGame(seed, {
        players: 4 + ((seed * 3) % 8),
        options: variants[seed % variants.length] ?? {},
        faultRate: seed % 3 === 0 ? 0.3 : 0,
        minds: (scripted) => mapSeats(scripted, noting),
      });
      const team = impostorsOf(lines).join();
      const listeners = COLOURS.flatMap((seat) => listen(lines, seat));
      for (const { teams, knowledge } of listeners) {
        const { seat, meeting } = knowledge;
        const words = `seed ${seed}, ${seat} at meeting ${meeting}`;
        expect(
          teams.map((one) => one.join()),
          words,
        ).toContain(team);
        meetings += 1;
        const view = views.find(
          ({ you, table }) => you.colour === seat && meetingNumber(table.record) === meeting,
        );
        if (view === undefined || view.table.record.losses.some(({ how }) => how === 'left'))
          continue;
        expect(reason(view).teams, words).toEqual(teams);
        asked += 1;
      }
    }
    expect(meetings).toBeGreaterThan(games);
    expect(asked).toBeGreaterThan(meetings / 2);
  });

  test.each(['admin', 'cameras'] as const)(
    'where cameras and Admin table are in one room, it is known who watches %s',
    async (what) => {
      const map = {
        name: 'a line',
        button: 'Cafeteria',
        openings: { Cafeteria: ['Storage'], Storage: ['Shields'], Shields: ['O2'] },
        cameras: { at: 'O2', show: ['Cafeteria', 'Storage', 'Shields'] },
        admin_table: 'O2',
      };
      const watcher = 'red';
      const lines = await playGame(1, {
        players: 4,
        map,
        options: { emergency_cooldown: 0, max_rounds: 40 },
        minds: (scripted) =>
          Object.fromEntries(Object.keys(scripted).map((seat) => [seat, walkingMind(seat, what)])),
      });
      const team = impostorsOf(lines).join();
      const [known] = listen(lines, watcher);
      const crew = team === watcher ? [] : (known?.teams.map((one) => one.join()) ?? []);
      expect(team === watcher || crew.includes(team)).toBe(true);
      expect(lines.some(({ type }) => type === 'meeting.called')).toBe(true);
      const deeds = lines.flatMap((line) =>
        line.type === 'round.closed' ? line.deeds[watcher] : [],
      );
      expect(deeds).toContain('watching');
    },
  );
});

/** Red sits at a screen in O2, the others walk past the cameras, and Green calls in the end. */
function walkingMind(seat: string, what: 'admin' | 'cameras'): LightMind {
  const go = (to: string) => ({ type: 'go', to });
  return {
    pace: 'at-once',
    answer: (request) => {
      if (request.kind !== 'action') {
        return { ok: true, received: { message: '', vote_action: 'skip' } };
      }
      const { place } = request.view.scene;
      const isLate = seat === 'green' && request.index >= 14;
      const sits = place === 'O2' ? { type: 'watch', what, rounds: 4 } : go('O2');
      const calls = place === 'Cafeteria' ? { type: 'button' } : go('Cafeteria');
      const walks = go(place === 'Shields' ? 'Storage' : 'Shields');
      return { ok: true, received: { action: seat === 'red' ? sits : isLate ? calls : walks } };
    },
  };
}
