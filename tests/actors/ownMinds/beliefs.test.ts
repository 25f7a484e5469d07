import { beforeAll, expect, test } from 'vitest';
import type { MindRequest } from '../../../actors/minds/port.ts';
import { askBelief, type BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import { aDiscussion, MIND, ownMind, script, wordsOf } from './requests.ts';

let request: MindRequest;
let question: BeliefQuestion;
beforeAll(async () => {
  request = await aDiscussion();
  if (request.kind !== 'discussion') return expect.unreachable();
  const asked = askBelief({ meeting: 1, moment: 'call', tick: null }, request.view);
  if (asked === null) return expect.unreachable();
  question = asked;
});

const RED = { colour: 'red', votes: 'freely', notes: '' } as const;
const here = () => new AbortController().signal;

/** A mind that answers every request with its kind, its id and the players that it may choose from. */
const TELLS = `for (;;) { const { id, kind, choices } = await line(); say({ type: 'answer', id, answer: kind === 'belief'
  ? { probabilities: Object.fromEntries(choices.targets.map((seat) => [seat, 0.5])), id }
  : { message: kind + ' ' + id } }); }`;

/** Asks a bid, a belief and a bid again; the belief is asked before the mind was ever started. */
async function askThree(
  seat: Partial<MatchSeat> & Pick<MatchSeat, 'mind'>,
  options: Parameters<typeof ownMind>[1] = {},
) {
  const { mind, minds } = ownMind(seat, options);
  const believer = minds.createBeliever({ ...RED, ...seat });
  if (believer.pace === 'at-once') return expect.unreachable();
  const stated = believer.believe(question, here());
  const first = await mind.answer(request, here());
  const belief = await stated;
  const second = await mind.answer(request, here());
  await minds.close();
  return { belief, said: [first, second].map(wordsOf) };
}

test('a command that believes is asked after its hello, with unused ids', async () => {
  const { belief, said } = await askThree(
    script(`${MIND} await line(); say({ type: 'hello', protocol: 1, believes: true }); ${TELLS}`),
  );
  expect(said).toEqual(['discussion 1', 'discussion 2']);
  expect(belief).toMatchObject({ source: 'own', answer: { ok: true, received: { id: 2 ** 32 } } });
  const received = belief?.answer.ok === true ? belief.answer.received : null;
  const half = Object.fromEntries(question.about.map((seat) => [seat, 0.5]));
  expect(received).toMatchObject({ probabilities: half });
  expect(question.about.length).toBeGreaterThan(2);
});

test('a command that has not said so is skipped, and gets the same requests', async () => {
  const { belief, said } = await askThree(script(`${MIND} await greet(); ${TELLS}`));
  expect(said).toEqual(['discussion 1', 'discussion 2']);
  expect(belief).toBeNull();
});

test('a command that never comes up is skipped when the match is over', async () => {
  const { minds } = ownMind(script('setInterval(() => {}, 1e6)'));
  const believer = minds.createBeliever({ ...RED, ...script('') });
  if (believer.pace === 'at-once') return expect.unreachable();
  const over = new AbortController();
  const stated = believer.believe(question, over.signal);
  over.abort();
  expect(await stated).toBeNull();
  await minds.close();
});

type Message = { readonly id: number; readonly kind: string };

test.each([
  ['that believes is asked with a message of its own', true],
  ['that has not said so is skipped', false],
])('a module %s', async (_, believes) => {
  const decide = ({ id, kind }: Message) =>
    kind === 'belief' ? { probabilities: { red: id } } : { message: `${kind} ${id}` };
  const modules = { load: async () => Object.assign(decide, believes ? { believes } : {}) };
  const { belief, said } = await askThree({ mind: 'module', module: './mind.ts' }, { modules });
  expect(said).toEqual(['discussion 1', 'discussion 2']);
  const stated = {
    source: 'own',
    answer: { ok: true, received: { probabilities: { red: 2 ** 32 } } },
  };
  expect(belief).toEqual(believes ? stated : null);
});
