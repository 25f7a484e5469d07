/** A mind as a command in TypeScript: it keeps its own memory between requests, and is careful with its vote. */
import { createInterface } from 'node:readline';

type SeenDeed = { who: string; place: string; did: string };
type LegalAction = { type: string; whom?: string };
type EngineMessage = {
  type: 'hello' | 'request';
  id: number;
  kind: string;
  you: { colour: string; role: string; partners: string[] };
  ship: { here: { who: string }[]; going_on_with: object | null } | null;
  record: { said: { speaker: string; message: string }[]; seen: SeenDeed[] };
  choices: { votes: string[]; actions: LegalAction[] };
};

/** How often this player was with each other one and lived to tell it. */
const trust = new Map<string, number>();
let suspect: SeenDeed | null = null;

function act({ you, ship, choices }: EngineMessage) {
  for (const { who } of ship?.here ?? []) trust.set(who, (trust.get(who) ?? 0) + 1);
  const first = (type: string) => choices.actions.find((action) => action.type === type);
  const isAlone = ship?.here.length === 1;
  const work =
    you.role === 'impostor' ? (isAlone && first('kill')) || first('sabotage') : first('fix');
  const urgent = first('report') ?? work;
  if (urgent) return { action: urgent };
  return { action: ship?.going_on_with ? null : (first('task') ?? first('fake') ?? first('go')) };
}

function talk({ you, record, choices }: EngineMessage) {
  const isOther = ({ who }: SeenDeed) => who !== you.colour && !you.partners.includes(who);
  suspect =
    record.seen.find((one) => ['kill', 'vent'].includes(one.did) && isOther(one)) ?? suspect;
  if (suspect !== null && choices.votes.includes(suspect.who)) {
    const { who, place } = suspect;
    return {
      message: `I saw ${who} in ${place}: it is ${who}!`,
      desire_to_speak: 9,
      vote_action: who,
    };
  }
  const accused = choices.votes.filter((who) =>
    record.said.some(
      ({ speaker, message }) => speaker !== who && message.includes(`it is ${who}!`),
    ),
  );
  const [most] = accused.toSorted((one, other) => (trust.get(one) ?? 0) - (trust.get(other) ?? 0));
  const isLate = record.said.length > 10;
  const vote = isLate ? (most ?? 'skip') : null;
  const friends = [...trust].toSorted(([, one], [, other]) => other - one).map(([who]) => who);
  return {
    message: `I was with ${friends[0] ?? 'nobody'}.`,
    desire_to_speak: 2,
    vote_action: vote,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: EngineMessage = JSON.parse(line);
  const { type, id, kind } = message;
  if (type === 'hello') {
    console.log(JSON.stringify({ type: 'hello', protocol: 1, name: 'logical' }));
    continue;
  }
  const isTalk = kind === 'discussion' || kind === 'voting';
  const answer = kind === 'action' ? act(message) : isTalk ? talk(message) : {};
  console.log(JSON.stringify({ type: 'answer', id, answer }));
}
