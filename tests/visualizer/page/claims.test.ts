import { beforeAll, describe, expect, test } from 'vitest';
import { countGame } from '../../../analysis/counts/statistics.ts';
import type { Lens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import type { Colour, Place } from '../../../machines/types.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { seeWithClaims } from '../../../visualizer/claims.ts';
import { createPage } from '../../../visualizer/page/build/pages.ts';
import { describeClaim, describeTruth } from '../../../visualizer/page/game/story/feed.ts';
import { createStory, NO_CHARTS } from '../../../visualizer/page/game/story/story.ts';
import { describeLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, giveFile, goTo, journalText, written } from './desk.ts';
import { recordedGame } from './recorded.ts';

const games = new Map<number, readonly Line[]>();
/** Two games with a lie, and one without. */
const SEEDS = [2, 3, 33, 43];
beforeAll(async () => {
  for (const seed of SEEDS) games.set(seed, await recordedGame(seed));
});
const gameOf = (seed: number) => games.get(seed) ?? [];

function speechesOf(lines: readonly Line[], lens: Lens) {
  const story = createStory(seeWithClaims(lines, lens), NO_CHARTS, lens);
  return story.feed.flatMap(({ item, step }) =>
    item.type === 'speech' ? [{ speech: item, name: story.moments[step]?.name ?? '' }] : [],
  );
}

/** Where everybody has set foot since the meeting before the line with this number, by their paths alone. */
function trodden(lines: readonly Line[], seq: number): ReadonlyMap<Colour, ReadonlySet<Place>> {
  const places = new Map<Colour, Set<Place>>();
  for (const line of lines) {
    if (line.channel === 'ghosts' || line.seq >= seq) continue;
    if (line.type === 'meeting.closed') places.clear();
    if (line.type !== 'round.closed') continue;
    for (const { colour } of seatsOf(lines)) {
      const own = places.get(colour) ?? new Set<Place>(['Cafeteria']);
      for (const place of line.paths[colour] ?? []) own.add(place);
      for (const event of line.events)
        if (event.type === 'vent.used' && event.seat === colour) own.add(event.place);
      places.set(colour, own);
    }
  }
  return places;
}

function seatsOf([opened]: readonly Line[]) {
  return opened?.type === 'match.opened' ? opened.match.seats : [];
}

describe('claims', () => {
  test.each(SEEDS)('are marked as the statistics count them (game %i)', (seed) => {
    const lines = gameOf(seed);
    const speeches = speechesOf(lines, { type: 'glass' });
    const marked = speeches.flatMap(({ speech }) => speech.claims);
    for (const { seat, claims } of countGame(lines)?.players ?? []) {
      const own = marked.filter(({ by }) => by === seat);
      expect(own.filter(({ truth }) => truth === 'true').length).toBe(claims.true);
      expect(own.filter(({ truth }) => truth === 'false').length).toBe(claims.false);
    }
  });

  test('are true of places where somebody set foot, and false of the others', () => {
    let judged = 0;
    for (const lines of games.values()) {
      for (const { speech, name } of speechesOf(lines, { type: 'glass' })) {
        const places = trodden(lines, Number(name));
        for (const { about, place, ago, truth } of speech.claims) {
          const wasThere = places.get(about)?.has(place) ?? false;
          // With a time it may be false although they were there at another one.
          if (ago === null) expect(truth).toBe(wasThere ? 'true' : 'false');
          else if (truth === 'true') expect(wasThere).toBe(true);
          judged += 1;
        }
      }
    }
    expect(judged).toBeGreaterThan(20);
  });

  test('come with what the machines did', () => {
    const through: Lens = { type: 'glass' };
    const [stepped, heard] = [seeWithMoves, seeWithClaims].map((see) =>
      see(gameOf(2), through).map(({ claims }) => claims),
    );
    expect(stepped).toEqual(heard);
  });

  test('are for the glass alone', () => {
    const lenses: readonly Lens[] = [{ type: 'table' }, { type: 'player', seat: 'red' }];
    for (const lens of lenses) {
      const speeches = speechesOf(gameOf(2), lens);
      expect(speeches.length).toBeGreaterThan(3);
      expect(speeches.filter(({ speech }) => speech.claims.length > 0)).toEqual([]);
    }
  });
});

test.each([
  {
    judged: { about: 'red', ago: null, truth: 'false', places: ['Admin'] },
    says: 'says Electrical · never there since the last meeting',
  },
  {
    judged: { about: 'red', ago: 10, truth: 'false', places: ['Admin'] },
    says: 'says Electrical, 10 s before the call · was in Admin',
  },
  {
    judged: {
      about: 'blue',
      ago: 5,
      truth: 'false',
      places: ['Admin', 'O2', 'Storage', 'Shields'],
    },
    says: 'says Blue in Electrical, 5 s before the call · was in Admin, O2, Storage and on',
  },
  {
    judged: { about: 'blue', ago: null, truth: 'true', places: ['Electrical'] },
    says: 'says Blue in Electrical · so it was',
  },
] as const)('it $says', ({ judged, says }) => {
  const claim = { type: 'place', by: 'red', place: 'Electrical', ...judged } as const;
  expect(`${describeClaim(claim)} · ${describeTruth(claim)}`).toBe(says);
});

describeLong.runIf(hasBrowser())('the page', () => {
  const browser = desk();

  test('says under a message what of it is not true, in words and with a sign', async () => {
    const lied = SEEDS.flatMap((seed) =>
      speechesOf(gameOf(seed), { type: 'glass' })
        .filter(({ speech }) => speech.claims.some(({ truth }) => truth === 'false'))
        .map(({ speech, name }) => ({ seed, speech, name })),
    )[0];
    if (lied === undefined) throw new Error('nobody lies in these games');
    const [claim] = lied.speech.claims.filter(({ truth }) => truth === 'false');
    if (claim === undefined) throw new Error('nobody lies in these games');
    const url = await exported(gameOf(lied.seed));
    const { page } = await open(browser(), `${url}#t=${lied.name}`);
    const said = page.locator('#feed .item.speech').last().locator('[data-truth=false]').first();
    const words = `✗Not true: ${describeClaim(claim)} · ${describeTruth(claim)}`;
    expect(await said.textContent()).toBe(words);
    await page.keyboard.press('1');
    expect(await page.locator('[data-truth]').count()).toBe(0);
    const empty = await open(browser(), written(await createPage('page', '')));
    await giveFile(empty.page, journalText(gameOf(lied.seed)));
    await goTo(empty.page, `#t=${lied.name}`);
    expect(await empty.page.locator('#feed [data-truth=false]').last().textContent()).toBe(words);
  });
});
