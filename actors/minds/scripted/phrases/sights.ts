/** Plain phrases for what was seen: of the victim, at the body, on the way, and of the meeting before this one. */
import type { ActType } from '../acts.ts';

type Sights = Extract<
  ActType,
  | 'atBody'
  | 'followed'
  | 'lastSeen'
  | 'lastAlone'
  | 'pair'
  | 'passed'
  | 'recallWrong'
  | 'recallRight'
  | 'recallNobody'
>;

export const SIGHTS: Readonly<Record<Sights, readonly string[]>> = {
  atBody: [
    'I saw {who} standing over the body in {place}.',
    'When I came into {place} I saw {who} right beside the body. Well, {who}?',
    'I saw {who} leaving the body in {place} without a word.',
    'Ask {who} about it. I saw {who} next to the body in {place}.',
  ],
  followed: [
    'Sketchy thing: {who} kept behind me all the way. I saw them in {place} {when}, hands empty.',
    '{who} followed me into {place}. I saw them stand there {when}, which I find suspicious.',
    'You came after me, {who}. I saw you in {place} {when}, just standing. Shady.',
    'Wherever I went, {who} went. I saw them in {place} {when}, and it looked suspicious to me.',
  ],
  lastSeen: [
    'I last saw {body} in {place} {when}, with {who}.',
    'The last I saw of {body} was in {place} {when}, with {who}.',
    'When I last saw {body}, in {place} {when}, {who} was with them.',
    'I saw {body} alive in {place} {when}, and {who} was right beside them.',
    'I last saw {body} in {place} {when}, alone with {who}. What happened then, {who}?',
  ],
  lastAlone: [
    'I last saw {body} in {place} {when}.',
    'I saw {body} alive in {place} {when}. After that it must have happened.',
    'The last I saw of {body} was in {place} {when}.',
    'If it helps with the time, I saw {body} alive in {place} {when}.',
  ],
  pair: [
    '{who} was with me in {place}, so I can vouch for them.',
    'I saw {who} the whole way, in {place} {when} too. I can vouch for them.',
    '{who} and I went about together. I saw them in {place} {when}, and I trust them.',
    'Count {who} with me. I saw them in {place} {when}, we stayed together, and I vouch for them.',
  ],
  passed: [
    'I passed {who} in {place} {when}.',
    'I met {who} in {place} {when}, on the way through.',
    '{who} came the other way. I passed them in {place} {when}.',
    'On my way I passed {who}, in {place} {when}.',
  ],
  recallWrong: [
    'Last time we threw out {friend}, and {friend} was one of us. Slower this time, please.',
    'Remember {friend}? We were just as certain then, and we were wrong.',
    'We lost {friend} by talking too fast. I would like to hear everybody first.',
  ],
  recallRight: [
    'We got {friend} last time by comparing rooms. Let us do that again.',
    'It worked with {friend}: rooms first, then names.',
    'After {friend} I trust this table a little more. Same way again?',
  ],
  recallNobody: [
    'Last time nobody left, and here we are again.',
    'We could not agree last time. I would rather not go home empty-handed twice.',
    'Nobody went last time, and now {body} is dead. Think about that.',
  ],
};
