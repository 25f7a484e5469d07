/**
 * Secrets: what ghosts say, what players think and who is who, asked of two copies of a whole meeting that get the
 * same public inputs. The charts, the letters, the bid stream and the lenses are those that run.
 */

import { checkInterference, type Interference } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { heardFrom } from '../../cli/check/hearing.ts';
import type { Colour } from '../../machines/types.ts';
import type { Company, Cue, Sight } from '../../proofs/models/ensemble.ts';
import { CHAT, musing, thinking } from '../../proofs/models/room.ts';
import { ghostDuet, roleDuet, thoughtDuet } from '../../proofs/models/secrets.ts';
import { aCompany, leaking, shown, withBooks } from './room.ts';

/** The events of both runs, the last first difference included, as one reads them side by side. */
function sideBySide({ leak }: Interference<Cue>): readonly string[] {
  const word = (cue: Cue | null) => {
    if (cue === null) return '-';
    if (cue.type !== 'answer') return cue.type;
    return `${cue.bid.seat} ${cue.bid.type === 'reply' ? cue.bid.reply.message : ''}`.trim();
  };
  return (leak?.bars ?? []).map(({ left, right }) => `${word(left)} | ${word(right)}`);
}

describe('ruling 36: ghosts', () => {
  test('silent, chatting or late: nothing changes for the living', () => {
    const seen = new Set<string>();
    const found = checkInterference(
      ghostDuet(aCompany(), { onSights: (sights) => shown(sights, seen) }),
    );
    expect(found).toMatchObject({ verdict: 'proved', why: null, leak: null });
    expect(found.secrets).toBeGreaterThan(1000);
    for (const sight of ['ghosts: silent', 'ghosts: chat', 'ghosts: late', 'ejected']) {
      expect(seen).toContain(sight);
    }
  });

  test('nor where a player leaves at any moment', () => {
    const company = aCompany({ options: { maxTicks: 1 } });
    const found = checkInterference(ghostDuet(company, { leavers: ['blue'] }));
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
  });

  test('a budget that ends the search is no proof', () => {
    const found = checkInterference(ghostDuet(aCompany()), {
      budget: { states: 200, seconds: 30 },
    });
    expect(found).toMatchObject({ verdict: 'incomplete', why: 'the budget of 200' });
  });

  const options = { maxTicks: 3, tokenTarget: 100 };
  const nothing = () => null;
  const said = (sights: readonly Sight[]) =>
    sights.some(
      (sight) =>
        sight.type === 'murmured' && sight.fact.type === 'turn.closed' && sight.fact.said !== null,
    );

  test('planted: their chat counts in the budget of the nudge', () => {
    const company = leaking(aCompany({ options }), (_, { ensemble, sights }) =>
      said(sights)
        ? withBooks(ensemble, (floor) => ({ ...floor, tokens: floor.tokens + 100 }))
        : ensemble,
    );
    const found = checkInterference(ghostDuet(company, { look: nothing }));
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toContain('nudge');
    expect(sideBySide(found)).toContain(`- | pink ${CHAT[1]?.message}`);
  });

  test('planted: their chat is scanned for mentions', () => {
    const hit = { seat: 'red', kind: 'mention', word: 'red', reason: 'a ghost said it' } as const;
    const company = leaking(aCompany({ options }), (_, { ensemble, sights }) =>
      said(sights)
        ? withBooks(ensemble, (floor) => ({ ...floor, heard: [{ t: floor.tick, hits: [hit] }] }))
        : ensemble,
    );
    const found = checkInterference(ghostDuet(company, { look: nothing }));
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toContain('mention');
  });

  test('planted: the gallery draws from the dice of the table', () => {
    const drawn = { type: 'time.called', tick: -1 } as const; // a mark in the basket: no tick has this number
    const company = leaking(
      aCompany({
        options,
        bids: (basket, { seed, meeting }) => {
          const draws = basket.filter(({ type, ...rest }) => 'tick' in rest && rest.tick === -1);
          return heardFrom(basket, { seed: seed + draws.length, meeting });
        },
      }),
      (_, { ensemble, sights }) =>
        sights.some(({ type }) => type === 'murmured')
          ? { ...ensemble, basket: [...ensemble.basket, drawn] }
          : ensemble,
    );
    const found = checkInterference(ghostDuet(company, { look: nothing }));
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toContain('dice');
  });

  test('planted: the tick waits for slow ghosts', () => {
    const { begin, perform } = aCompany({ options });
    const waiting: Company = {
      begin,
      perform: (ensemble, cue) =>
        cue.type === 'answer' && cue.to === 'table' && musing(ensemble).length > 0
          ? { ensemble, sights: [] }
          : perform(ensemble, cue),
    };
    expect(checkInterference(ghostDuet(waiting, { look: thinking })).verdict).toBe('violated');
  });
});

describe('ruling 36: thoughts', () => {
  const budget = { states: 6000, seconds: 30 };

  test('and scratchpads reach nobody else, neither the living nor ghosts', () => {
    const found = checkInterference(thoughtDuet(aCompany()));
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
    expect(found.secrets).toBeGreaterThan(10);
  });

  test('planted: a thought gets into the transcript', () => {
    const company = leaking(aCompany(), (_, { ensemble, sights }) => {
      const thought = sights.flatMap((sight) =>
        sight.type === 'told' && sight.fact.type === 'tick.closed'
          ? sight.fact.bids.flatMap((bid) => (bid.type === 'reply' ? [bid.reply.thought] : []))
          : [],
      );
      if (thought.join('') === '') return ensemble;
      return withBooks(ensemble, (floor) => ({
        ...floor,
        transcript: floor.transcript.map((line) => ({ ...line, message: thought.join('') })),
      }));
    });
    const found = checkInterference({ ...thoughtDuet(company), look: () => null }, { budget });
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toMatch(/transcript.*message$/);
  });
});

describe('roles', () => {
  const cast = (impostors: readonly Colour[], confirmEjects: boolean) =>
    aCompany({ impostors, options: { confirmEjects } });
  const pair = (confirmEjects: boolean) =>
    [cast(['green'], confirmEjects), cast(['blue'], confirmEjects)] as const;

  test('show in nothing that a crewmate sees where ejections are not confirmed', () => {
    const found = checkInterference(roleDuet('red', pair(false), false));
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
  });

  test('nor, where they are, before somebody is ejected', () => {
    const found = checkInterference(roleDuet('red', pair(true), true));
    expect(found.verdict).toBe('proved');
    expect(found.released).toBeGreaterThan(0);
  });

  test('the two exceptions: a confirmed ejection, and partners', () => {
    const confirmed = checkInterference(roleDuet('red', pair(true), false));
    expect(confirmed.verdict).toBe('violated');
    expect(confirmed.leak?.at).toContain('sentence');
    const partners = [cast(['red', 'blue'], false), cast(['red', 'green'], false)] as const;
    expect(checkInterference(roleDuet('red', partners, false)).leak?.at).toContain('partners');
  });
});
