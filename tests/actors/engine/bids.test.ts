import { merge } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { bidStream } from '../../../actors/engine/bids.ts';
import type { ToArbiter, ToBids } from '../../../machines/messages.ts';
import { rollDie } from '../../../machines/rules/dice.ts';
import type { Bid, Colour } from '../../../machines/types.ts';
import { aBid, aFault } from '../../machines/builders.ts';

const CHANCE = { seed: 11, meeting: 2 };
const THREE = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
const LATE = 'no reply before the deadline';

type Of<T extends ToBids['type']> = Extract<ToBids, { type: T }>;

const OPENED: Readonly<Record<string, Of<'bids.awaited' | 'tick.abandoned'>>> = {
  o: { type: 'bids.awaited', tick: 0, seats: THREE },
  p: { type: 'bids.awaited', tick: 1, seats: THREE },
  n: { type: 'bids.awaited', tick: 0, seats: [] },
  x: { type: 'tick.abandoned' },
};
const placed = (tick: number, bid: Bid): Of<'bid.placed'> => ({ type: 'bid.placed', tick, bid });
const PLACED: Readonly<Record<string, Of<'bid.placed'>>> = {
  r: placed(0, aBid('red')),
  b: placed(0, aBid('blue')),
  g: placed(0, aBid('green')),
  l: placed(0, aFault('red', 'seat/left')),
  R: placed(1, aBid('red')),
};

function gathered(tick: number, ...bids: readonly Bid[]): ToArbiter {
  const moment = { ...CHANCE, stream: 'table', tick } as const;
  return {
    type: 'bids.gathered',
    tick,
    bids,
    dice: Object.fromEntries(bids.map(({ seat }) => [seat, rollDie(moment, seat)])),
  };
}
const late = (seat: Colour): Bid => ({ type: 'fault', seat, code: 'mind/late', text: LATE });

const HEARD: Readonly<Record<string, ToArbiter>> = {
  A: gathered(0, aBid('red'), aBid('blue'), aBid('green')),
  B: gathered(0, late('red'), aBid('blue'), late('green')),
  N: gathered(0),
  F: gathered(0, aFault('red', 'seat/left'), aBid('blue'), aBid('green')),
  Z: gathered(1, aBid('red'), late('blue'), late('green')),
  O: { type: 'bids.outstanding' },
  r: { type: 'bid.late', tick: 0, bid: aBid('red') },
  g: { type: 'bid.late', tick: 0, bid: aBid('green') },
  R: { type: 'bid.late', tick: 1, bid: aBid('red') },
};

type Marbles = {
  readonly opened: string;
  readonly requested?: string;
  readonly placed: string;
  readonly called?: string;
  readonly heard: string;
};

function expectStream({ opened, requested = '', placed: bids, called = '', heard }: Marbles) {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(
    ({ hot, expectObservable }) => {
      const stream = bidStream(
        merge(
          hot(opened, OPENED),
          hot(bids, PLACED),
          hot<Of<'bids.requested'>>(requested, {
            q: { type: 'bids.requested', tick: 0 },
            Q: { type: 'bids.requested', tick: 1 },
          }),
          hot<Of<'time.called'>>(called, {
            t: { type: 'time.called', tick: 0 },
            T: { type: 'time.called', tick: 1 },
          }),
        ),
        CHANCE,
      );
      expectObservable(stream).toBe(heard, HEARD);
    },
  );
}

describe('the bids of a tick', () => {
  test.each<[string, Marbles]>([
    ['are gathered with the last of them', { opened: 'o', placed: '-rbg', heard: '---A' }],
    ['are committed in the order of the seats', { opened: 'o', placed: '-gbr', heard: '---A' }],
    ['may all come at once', { opened: 'o', placed: '-(grb)', heard: '-A' }],
    ['are nobody’s where nobody is asked', { opened: 'n', placed: '--', heard: 'N' }],
    [
      'are outstanding where everybody was asked and somebody is silent',
      { opened: 'o', placed: '-r-bg', requested: '--q', heard: '--O-A' },
    ],
    [
      'are not outstanding where all have answered',
      { opened: 'o', placed: '-(rbg)', requested: '--q', heard: '-A' },
    ],
    [
      'are closed when time is called, with a fault for each that is missing',
      { opened: 'o', placed: '-b', called: '---t', heard: '---B' },
    ],
    [
      'are not closed by the call of another tick',
      { opened: 'o', placed: '-rb-g', called: '---T', heard: '----A' },
    ],
    [
      'keep the last word of a seat: who leaves has not bid',
      { opened: 'o', placed: '-rblg', heard: '----F' },
    ],
    [
      'are nobody’s business once the tick is abandoned',
      { opened: 'o--x', placed: '-rb-g', heard: '----g' },
    ],
  ])('%s', (_, marbles) => {
    expectStream(marbles);
  });
});

describe('a bid with the index of another tick', () => {
  test.each<[string, Marbles]>([
    [
      'is late after the deadline',
      { opened: 'o', placed: '-b--g', called: '---t', heard: '---Bg' },
    ],
    [
      'is late in the next tick, and counts in neither',
      { opened: 'o---p', placed: '-rbg-rR', called: '-------T', heard: '---A-r-Z' },
    ],
    ['is late before its tick is opened', { opened: 'o', placed: '-R', heard: '-R' }],
    ['is late where no tick is open', { opened: '--', placed: '-r', heard: '-r' }],
  ])('%s', (_, marbles) => {
    expectStream(marbles);
  });
});
