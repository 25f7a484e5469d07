/** Charts of one player and of the arbiter, compared with the actors of a running match. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Actor, createActor, type InspectionEvent, StateMachine } from 'xstate';
import { runToEnd, SimulatedClock } from '../../../actors/engine/clock.ts';
import { machinesFor } from '../../../actors/engine/effects.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { createMatch } from '../../../actors/engine/match.ts';
import { RunContext } from '../../../actors/engine/runContext.ts';
import { createMind } from '../../../actors/minds/kinds.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { meetingIn } from '../../../machines/journal/opening.ts';
import { ARBITER, playerId } from '../../../machines/messages.ts';
import { isAtOnce, MIND_KINDS } from '../../../machines/rules/mindKinds.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { findEdgeIds, readChart } from '../../../visualizer/charts/chart.ts';
import { drawCompactChart, readFacts } from '../../../visualizer/page/build/facts.ts';
import type { BuildFacts } from '../../../visualizer/page/game/story/pageData.ts';
import { createStory } from '../../../visualizer/page/game/story/story.ts';
import { listLit, Track, type TrackOwner } from '../../../visualizer/page/game/story/tracks.ts';
import { describeLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported } from './desk.ts';
import { playedByModels, recordedGame, recordedMeeting } from './recorded.ts';

let facts: BuildFacts;
const journals = new Map<string, readonly Line[]>();
beforeAll(async () => {
  facts = await readFacts();
  journals.set('a game', await recordedGame(2));
  journals.set('a meeting with ghosts', await recordedMeeting('ghosts', 7));
  journals.set('a meeting from which somebody leaves', await recordedMeeting('trouble', 7));
});

function trackOf(owner: TrackOwner): Track {
  return new Track(owner, owner === 'arbiter' ? facts.charts.arbiter : facts.charts.player);
}

/** The innermost state of a player that lines tell, gone through from the beginning. */
function stateIn(lines: readonly Line[], seat: Colour): string {
  let [state, hasVoted] = ['living', false];
  for (const line of lines) {
    if (meetingIn(line)?.seats.some((one) => one.dead && one.colour === seat)) state = 'ghost';
    if (line.type === 'phase.entered' && line.phase === 'interrupt') hasVoted = false;
    if (line.type === 'vote.locked' && line.seat === seat) hasVoted = true;
    if (line.type === 'vote.cleared' && line.seat === seat) hasVoted = false;
    if (line.type === 'verdict.announced' && line.ejected === seat) state = 'ghost';
    if (line.type === 'seat.departed' && line.seat === seat) state = 'disconnected';
    if (line.type !== 'round.closed') continue;
    for (const event of line.events) {
      if (event.type === 'player.killed' && event.victim === seat) state = 'ghost';
      if (event.type === 'seat.departed' && event.seat === seat) state = 'disconnected';
    }
  }
  if (state !== 'living') return `player.${state}`;
  return `player.living.ballot.${hasVoted ? 'lockedIn' : 'undecided'}`;
}

function momentsOf(lines: readonly Line[]) {
  return createStory(lines.map(throughGlass), facts.charts, { type: 'glass' }).moments;
}

describe('the chart of a player', () => {
  test('the charts of player and arbiter come from the running machines', async () => {
    expect(facts.charts.player).toEqual(await drawCompactChart(readChart(playerMachine)));
    expect(facts.charts.arbiter).toEqual(await drawCompactChart(readChart(arbiterMachine)));
  });

  test.each(['a game', 'a meeting with ghosts', 'a meeting from which somebody leaves'])(
    'is lit as the lines of %s tell',
    (name) => {
      const lines = journals.get(name) ?? [];
      const nodes = facts.charts.player.nodes.map(({ id }) => id);
      const moments = momentsOf(lines);
      const tracks = new Map(COLOURS.map((seat) => [seat, trackOf(seat)]));
      for (const [step, moment] of moments.entries()) {
        const { channel, seq } = moment.line;
        const last = lines.findIndex((line) => line.channel === channel && line.seq === seq);
        for (const { seat } of moment.players) {
          const place = tracks.get(seat)?.placeAt(moments, step, false) ?? expect.fail(seat);
          const lit = listLit(place);
          expect(nodes).toEqual(expect.arrayContaining([...lit]));
          const told = stateIn(lines.slice(0, last + 1), seat);
          expect(lit, `${seat} at ${moment.name}`).toContain(told);
          const isLiving = told.startsWith('player.living');
          expect(lit.some((id) => id.startsWith('player.living.floor'))).toBe(isLiving);
          const regions = place.leaves.length + Number(place.unknown !== '');
          expect(regions).toBe(isLiving ? 2 : 1);
        }
      }
    },
  );

  test('of a player who does not play is dark', () => {
    const moments = momentsOf(journals.get('a game') ?? []);
    const stranger = COLOURS.find((seat) =>
      moments[0]?.players.every((member) => member.seat !== seat),
    );
    if (stranger === undefined) throw new Error('everybody plays');
    expect(trackOf(stranger).placeAt(moments, 3, true).leaves).toEqual([]);
  });

  test('shows who is waited for now where the journal is being written', () => {
    const lines = journals.get('a game') ?? [];
    const moments = momentsOf(lines);
    const living = (type: string) =>
      moments.findIndex(({ line }) => line.type === type) ?? expect.fail(type);
    const [tick, round] = [living('tick.closed'), living('round.closed')];
    const at = (step: number) => {
      const seat = moments[step]?.players.find(({ fate }) => fate === 'living')?.seat;
      return trackOf(seat ?? expect.fail('all are dead')).placeAt(moments, step, true).leaves[0];
    };
    expect(at(tick)).toBe('player.living.floor.bidding');
    expect(at(round)).toBe('player.living.floor.deciding');
  });

  test('knows the minds that answer at once', () => {
    const settings = { seed: 1, faultRate: 0, models: null, times: { table: null, ship: null } };
    const [seat] = plainGame(5).seats;
    if (seat === undefined) throw new Error('nobody plays');
    for (const kind of MIND_KINDS) {
      const { pace } = createMind({ ...seat, mind: kind }, 0, settings);
      expect(isAtOnce(kind), kind).toBe(pace === 'at-once');
    }
  });
});

function actorOf(owner: TrackOwner): string {
  return owner === 'arbiter' ? ARBITER : playerId(owner);
}

async function observedGame(seed: number) {
  const creation = createMatch(plainGame(6), seed);
  if (!creation.ok) throw new Error('the game can not be manned');
  const { ready } = creation;
  const minds = Object.fromEntries(
    Object.entries(ready.minds).map(([seat, mind]) => [seat, takingTime(mind)]),
  );
  const lines: Line[] = [];
  const states: ReadonlyMap<string, string>[] = [];
  const owners: readonly TrackOwner[] = [...ready.players.map(({ colour }) => colour), 'arbiter'];
  const recorder = new Recorder({
    onLine: ({ line }) => {
      lines.push(line);
      states.push(
        new Map(
          owners.map((owner) => [
            owner,
            JSON.stringify(root.system.get(actorOf(owner))?.getSnapshot().value ?? null),
          ]),
        ),
      );
    },
  });
  const fired = new Map<string, number>();
  const inspect = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep' || !(event.actorRef instanceof Actor)) return;
    const { id, logic } = event.actorRef;
    if (!(logic instanceof StateMachine)) return;
    for (const transition of event._transitions) {
      const edge = `${id} ${findEdgeIds(logic).get(transition)}`;
      fired.set(edge, (fired.get(edge) ?? 0) + 1);
    }
  };
  const clock = new SimulatedClock();
  const root = createActor(machinesFor('xstate').game, {
    clock,
    inspect,
    input: {
      seed,
      ship: ready.ship,
      players: ready.players.map((player) => ({ ...player, light: false, ghost: false })),
      ghostBudget: ready.ghostBudget,
    },
  });
  const run = new RunContext(root.system, {
    minds,
    recorder,
    ghostsWatch: true,
    round: () => root.getSnapshot().context.round,
    onMeetingFacts: null,
    onGameFacts: null,
    beliefs: null,
  });
  recorder.write('living', [ready.headers.living]);
  recorder.write('ghosts', [ready.headers.ghosts]);
  await runToEnd(root, clock).over;
  run.dismissMinds();
  return { lines: playedByModels(lines, ['a-model']), states, owners, fired };
}

function takingTime(mind: Mind): Mind {
  if (mind.pace === 'in-time') return mind;
  return { pace: 'in-time', answer: async (request) => mind.answer(request) };
}

/** Where a player is who answers, while what follows from the answer is written down. */
const ANSWERING = /"(?:bidding|deciding|chatting|working)"/;

describe('held against the actors of a game', () => {
  test('every lit region matches its actor’s state, and every count matches its firings', async () => {
    const { lines, states, owners, fired } = await observedGame(4);
    const moments = momentsOf(lines);
    const seen = new Map([
      ['listening', 0],
      ['idle', 0],
      ['idle', 0],
    ]);
    const tracks = new Map(owners.map((owner) => [owner, trackOf(owner)]));
    for (const [step, { line }] of moments.entries()) {
      const at = lines.findIndex(
        ({ channel, seq }) => channel === line.channel && seq === line.seq,
      );
      const astray: string[] = [];
      for (const [owner, track] of tracks) {
        const state = states[at]?.get(owner) ?? 'null';
        for (const leaf of track.placeAt(moments, step, false).leaves) {
          const name = leaf.split('.').at(-1) ?? '';
          const many = seen.get(name);
          // A dead player hears of it after the line. After the game there are no actors.
          const isHeard = state.includes('living') === leaf.includes('living');
          if (many === undefined || state === 'null' || !isHeard) continue;
          seen.set(name, many + 1);
          if (!state.includes(`"${name}"`)) astray.push(state);
        }
      }
      // The player whose answer was the last is still in the midst of giving it.
      expect(astray.length, `${line.type} ${line.seq}`).toBeLessThanOrEqual(1);
      for (const state of astray) expect(state).toMatch(ANSWERING);
    }
    expect(Math.min(...seen.values())).toBeGreaterThan(50);
    let marked = 0;
    for (const [owner, { log }] of tracks) {
      for (const { id, source } of facts.charts[owner === 'arbiter' ? owner : 'player'].edges) {
        const [told, many] = [log.firings(id).length, fired.get(`${actorOf(owner)} ${id}`) ?? 0];
        // The first transition is not seen by an inspector, a turn in which no ghost speaks is no moment, and what an
        // actor of its own accord takes note of is in no line.
        if (source === 'player.arriving' || told === 0) continue;
        marked += told;
        if (source.startsWith('player.ghost')) expect(told, id).toBeLessThanOrEqual(many);
        // An ejection that ends the game reaches no actor any more.
        else if (id.endsWith('|seat.died|0')) expect([many, many + 1]).toContain(told);
        else expect(told, `${owner} ${id}`).toBe(many);
      }
    }
    expect(marked).toBeGreaterThan(300);
  });
});

describeLong.runIf(hasBrowser())('the page', () => {
  const browser = desk();

  test('shows it of the player who is looked at, with both regions lit', async () => {
    const lines = journals.get('a game') ?? [];
    const url = await exported(lines);
    const voted = lines.find((line) => line.type === 'vote.locked' && line.seat === 'pink');
    const at = `#t=${voted?.seq ?? 0}&lens=glass&player=pink`;
    const { page, errors } = await open(browser(), `${url}${at}`);
    await page.click('#chart button:text-is("player")');
    expect(await page.textContent('#chart .last')).toMatch(
      /^pink floor › listening, ballot › lockedIn Listens to the speaker\. Has voted/,
    );
    const leaves = await page
      .locator('#chart [data-leaf]')
      .evaluateAll((all) => all.map((node) => node.getAttribute('data-node')));
    expect(leaves.toSorted()).toEqual([
      'player.living.ballot.lockedIn',
      'player.living.floor.listening',
    ]);
    expect(await page.locator('#chart [data-region][data-lit]').count()).toBe(2);
    await page.click('#chart button:text-is("arbiter")');
    expect(await page.getAttribute('#chart [data-leaf]', 'data-node')).toBe('arbiter.idle');
    expect(errors).toEqual([]);
    await page.close();
    const nobody = await open(browser(), `${url}#t=45&lens=glass`);
    expect(await nobody.page.isDisabled('#chart button:text-is("player")')).toBe(true);
  });
});
