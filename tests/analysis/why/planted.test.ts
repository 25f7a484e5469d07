import { describe, expect, test } from 'vitest';
import type { Ballot } from '../../../machines/types.ts';
import {
  ejections,
  FIVE,
  juryOn,
  type PlantedRule,
  pivotal,
  plantKill,
  plantMeeting,
  SEVEN,
  saysAt,
  stubborn,
  trusting,
  WALK,
} from './plantedMeeting.ts';

describe('messages that decided a meeting', () => {
  test('the only accusation decides it, and small talk does not', async () => {
    const { ask } = await plantMeeting({
      red: saysAt(1, 'Blue vented in Admin.', trusting),
      green: saysAt(0, 'Where was the body?', trusting),
      pink: saysAt(3, 'I did my tasks.', trusting),
      orange: trusting,
      blue: stubborn('skip'),
    });
    const messages = await ask('messages');
    expect(ejections(messages)).toEqual({
      '1:0 green': 'blue',
      '1:1 red': null,
      '1:3 pink': 'blue',
    });
    expect(pivotal(messages)).toEqual(['1:1 red']);
    expect(messages['1:1 red']?.effect).toMatchObject({ samples: 1, ejected: 1, ballots: 4 });
  });

  test('a false alibi that is believed saves its speaker', async () => {
    const believing = juryOn(['Blue killed'], 'blue: I was in Admin');
    const { ask } = await plantMeeting({
      red: saysAt(0, 'Blue killed Tan.', believing),
      green: saysAt(4, 'That is settled then.', believing),
      pink: believing,
      orange: believing,
      blue: saysAt(2, 'I was in Admin.', stubborn('skip')),
    });
    const messages = await ask('messages');
    expect(pivotal(messages)).toEqual(['1:2 blue']);
    expect(ejections(messages)['1:2 blue']).toBe('blue');
    expect(ejections(await ask('claims', 'silence'))['1:2 blue 1']).toBe('blue');
  });

  test('a vouch saves the one it speaks for, and the accusation alone changes nothing', async () => {
    const believing = juryOn(['Blue killed'], 'Blue was with me');
    const { ask } = await plantMeeting({
      red: saysAt(1, 'Blue killed Tan.', believing),
      green: saysAt(2, 'Blue was with me in Storage.', believing),
      pink: believing,
      blue: stubborn('skip'),
    });
    expect(pivotal(await ask('messages'))).toEqual(['1:2 green']);
  });

  test('of two sufficient accusations, neither changes the result alone', async () => {
    const { ask } = await plantMeeting({
      red: saysAt(0, 'Blue vented in Admin.', trusting),
      green: saysAt(2, 'Yes, Blue vented.', trusting),
      pink: trusting,
      blue: stubborn('skip'),
    });
    const messages = await ask('messages');
    expect(pivotal(messages)).toEqual([]);
    expect(Object.values(messages).map(({ effect }) => effect.ejected)).toEqual([0, 0]);
  });

  test('two accusations that only work together both decide it', async () => {
    const strict = juryOn(['red: Blue', 'green: Blue']);
    const { ask } = await plantMeeting({
      red: saysAt(0, 'Blue vented.', strict),
      green: saysAt(2, 'Blue lied to me.', strict),
      pink: saysAt(3, 'Blue is quiet.', strict),
      blue: stubborn('skip'),
    });
    expect(pivotal(await ask('messages'))).toEqual(['1:0 red', '1:2 green']);
  });

  test('a decoy that no one follows changes nothing, however loud', async () => {
    const { ask } = await plantMeeting({
      red: saysAt(3, 'Blue vented.', trusting),
      green: trusting,
      pink: trusting,
      blue: saysAt(1, 'Red killed, Red vented, Red lies, vote Red!', stubborn('red')),
    });
    expect(pivotal(await ask('messages'))).toEqual(['1:3 red']);
  });

  test('a question that draws the accusation out decides as much as the accusation', async () => {
    const answering: PlantedRule = (tick, heard) => {
      const isAsked = heard.some(({ message }) => message.startsWith('Green, what'));
      const isDone = heard.some(({ speaker }) => speaker === 'green');
      return isAsked && !isDone
        ? { says: 'Blue vented in front of me.', desire: 9 }
        : trusting(tick, heard);
    };
    const { ask } = await plantMeeting({
      red: saysAt(0, 'Green, what did you see?', trusting),
      green: answering,
      pink: saysAt(3, 'I did my tasks.', trusting),
      blue: stubborn('skip'),
    });
    expect(pivotal(await ask('messages'))).toEqual(['1:0 red', '1:1 green']);
  });

  test('a retraction decides a meeting if the accusation does not', async () => {
    const careful = juryOn(['Blue vented'], 'I take it back');
    const { ask } = await plantMeeting({
      red: (tick, heard) =>
        tick === 0
          ? { says: 'Blue vented.', desire: 9 }
          : saysAt(4, 'I take it back.', careful)(tick, heard),
      green: careful,
      pink: careful,
      blue: stubborn('skip'),
    });
    expect(pivotal(await ask('messages'))).toEqual(['1:4 red']);
  });

  test('words that come when all have voted change nothing', async () => {
    const early: PlantedRule = (tick) => (tick === 1 ? { votes: 'skip' } : {});
    const { ask } = await plantMeeting({
      red: saysAt(3, 'Blue vented.', early),
      green: early,
      pink: early,
      blue: (tick) => (tick === 5 ? { votes: 'skip' } : {}),
    });
    expect(await ask('messages')).toHaveProperty('1:3 red');
    expect(pivotal(await ask('messages'))).toEqual([]);
  });

  test('one sentence of a message is what decides it', async () => {
    const { ask } = await plantMeeting({
      red: saysAt(1, 'I was in Storage. Blue vented in Admin. I saw Green in MedBay.', trusting),
      green: trusting,
      pink: trusting,
      blue: stubborn('skip'),
    });
    const claims = await ask('claims', 'silence');
    expect(Object.keys(claims)).toEqual(['1:1 red 1', '1:1 red 2', '1:1 red 3']);
    expect(pivotal(claims)).toEqual(['1:1 red 2']);
  });
});

async function askBallots(votes: Readonly<Record<string, Ballot>>) {
  const rules = Object.entries(votes).map(([seat, ballot]) => [seat, stubborn(ballot)] as const);
  const { ask } = await plantMeeting(Object.fromEntries(rules));
  return ask('ballots');
}

describe('ballots that decided a meeting', () => {
  test('each vote of a majority by one decides it, and no other does', async () => {
    const ballots = await askBallots({
      red: 'blue',
      green: 'blue',
      pink: 'blue',
      orange: 'skip',
      yellow: 'orange',
      blue: 'red',
    });
    expect(pivotal(ballots)).toEqual(['1:6 red', '1:6 green', '1:6 pink']);
    expect(ejections(ballots)).toMatchObject({ '1:6 red': null, '1:6 orange blue': 'blue' });
  });

  test('of a majority by three no vote changes anything alone', async () => {
    const ballots = await askBallots({
      red: 'blue',
      green: 'blue',
      pink: 'blue',
      orange: 'blue',
      blue: 'skip',
    });
    expect(Object.keys(ballots)).toHaveLength(4);
    expect(pivotal(ballots)).toEqual([]);
  });

  test('a skip saves whom it keeps level', async () => {
    const ballots = await askBallots({ red: 'blue', green: 'blue', pink: 'skip', blue: 'skip' });
    expect(Object.keys(ballots)).toEqual(['1:6 red', '1:6 green', '1:6 pink blue']);
    expect(pivotal(ballots)).toEqual(['1:6 pink blue']);
    expect(ejections(ballots)['1:6 pink blue']).toBe('blue');
  });
});

describe('the floor and the eyes that decided a match', () => {
  const loud: PlantedRule = (tick, heard) =>
    tick === 0 ? { says: 'Good morning.', desire: 10 } : trusting(tick, heard);
  const unheard: PlantedRule = (tick, heard) =>
    tick === 0 ? { says: 'Blue vented in Admin.', desire: 0 } : trusting(tick, heard);

  test('a bid took the floor from an accusation, and its words did nothing', async () => {
    const { ask } = await plantMeeting({
      red: loud,
      green: unheard,
      pink: trusting,
      blue: stubborn('skip'),
    });
    const bids = await ask('bids');
    expect(Object.keys(bids)).toEqual(['1:0 red', '1:0 green']);
    expect(pivotal(bids)).toEqual(['1:0 red']);
    expect(ejections(bids)['1:0 red']).toBe('blue');
    expect(pivotal(await ask('messages'))).toEqual([]);
  });

  test('a witnessed kill decides a game for the witness who reports it, and for no other', async () => {
    const { ask } = await plantKill(FIVE);
    const kills = await ask('kills');
    const [green, ...others] = pivotal(kills);
    expect([green, others]).toEqual(['round:4 green red', []]);
    expect(Object.keys(kills)).toHaveLength(3);
    const [sample] = kills[green ?? '']?.samples ?? [];
    expect([sample?.was.winner, sample?.is.winner]).toEqual(['crew', 'impostors']);
  });

  test('of two kills the one decides that is spoken of, and a fellow impostor learns of none', async () => {
    const { ask } = await plantKill(SEVEN);
    const kills = await ask('kills');
    expect(Object.keys(kills).some((place) => place.includes('yellow'))).toBe(false);
    const [decisive, ...others] = pivotal(kills);
    expect(others).toEqual([]);
    expect(decisive).toMatch(/ green red$/);
    const meetings = Object.values(kills).map(({ meeting }) => meeting);
    expect([kills[decisive ?? '']?.meeting, Math.min(...meetings)]).toEqual([2, 1]);
  });

  test('a lie about a place saves its speaker, and the truth would not have', async () => {
    const { ask } = await plantKill(WALK);
    const claims = await ask('claims');
    expect(pivotal(claims)).toEqual(['1:0 red 1']);
    const [sample] = claims['1:0 red 1']?.samples ?? [];
    expect(claims['1:0 red 1']).toMatchObject({
      words: 'I was in Reactor.',
      instead: 'I was in Admin.',
    });
    expect([sample?.was.ejected, sample?.is.ejected]).toEqual([null, 'red']);
  });
});
