/** The chart of one player: that of the machine that runs, lit as far as lines tell, and no further. */

import { beforeAll, describe, expect, test } from 'vitest';
import { playerMachine } from '../../../machines/charts/player.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { meetingIn } from '../../../machines/journal/opening.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { readChart } from '../../../visualizer/charts/chart.ts';
import { drawCompactChart, readFacts } from '../../../visualizer/page/build/facts.ts';
import { describePlayer } from '../../../visualizer/page/game/story/activeStates.ts';
import type { BuildFacts } from '../../../visualizer/page/game/story/pageData.ts';
import { createStory } from '../../../visualizer/page/game/story/story.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported } from './desk.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

let facts: BuildFacts;
const journals = new Map<string, readonly Line[]>();
beforeAll(async () => {
  facts = await readFacts();
  journals.set('a game', await recordedGame(2));
  journals.set('a meeting with ghosts', await recordedMeeting('ghosts', 7));
  journals.set('a meeting from which somebody leaves', await recordedMeeting('trouble', 7));
});

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

describe('the chart of a player', () => {
  test('is drawn from the machine that runs', async () => {
    expect(facts.charts.player).toEqual(await drawCompactChart(readChart(playerMachine)));
  });

  test.each(['a game', 'a meeting with ghosts', 'a meeting from which somebody leaves'])(
    'is lit as the lines of %s tell',
    (name) => {
      const lines = journals.get(name) ?? [];
      const nodes = facts.charts.player.nodes.map(({ id }) => id);
      const story = createStory(lines, facts.charts, { type: 'glass' });
      for (const moment of story.moments) {
        const { channel, seq } = moment.line;
        const last = lines.findIndex((line) => line.channel === channel && line.seq === seq);
        for (const { seat } of moment.players) {
          const { lit } = describePlayer(moment, seat);
          expect(nodes).toEqual(expect.arrayContaining([...lit]));
          expect(lit.at(-1), `${seat} at ${moment.name}`).toBe(
            stateIn(lines.slice(0, last + 1), seat),
          );
          expect(lit.some((id) => /floor|haunting|musing|errand/.test(id))).toBe(false);
        }
      }
    },
  );

  test('of somebody who does not play is dark', () => {
    const [first] = createStory(journals.get('a game') ?? [], facts.charts, {
      type: 'glass',
    }).moments;
    const stranger = COLOURS.find((seat) => first?.players.every((member) => member.seat !== seat));
    if (first === undefined || stranger === undefined) throw new Error('everybody plays');
    expect(describePlayer(first, stranger).lit).toEqual([]);
  });
});

describe.runIf(hasBrowser())('the page', () => {
  const browser = desk();

  test('shows it of the player who is looked at, and says what the journal does not record', async () => {
    const lines = journals.get('a game') ?? [];
    const url = await exported(lines);
    const voted = lines.find((line) => line.type === 'vote.locked' && line.seat === 'pink');
    const at = `#t=${voted?.seq ?? 0}&lens=glass&player=pink`;
    const { page, errors } = await open(browser(), `${url}${at}`);
    await page.click('#chart button:text-is("player")');
    expect(await page.textContent('#chart .last')).toMatch(
      /^Pink is living and has voted\. The journal does not record .*\.$/,
    );
    expect(await page.getAttribute('#chart [data-leaf]', 'data-node')).toBe(
      'player.living.ballot.lockedIn',
    );
    expect(errors).toEqual([]);
    await page.close();
    const nobody = await open(browser(), `${url}#t=45&lens=glass`);
    expect(await nobody.page.isDisabled('#chart button:text-is("player")')).toBe(true);
    await nobody.page.close();
  });
});
