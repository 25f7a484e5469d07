import { z } from 'zod';
import { namesIn, type Pick } from './pick.ts';

type Action = Readonly<Record<string, string | number | null>>;

const actionSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const FIRST = ['report', 'fix', 'kill'];
const USUAL = ['task', 'task', 'task', 'task', 'fake', 'fake', 'vent', 'sabotage', 'go', 'surface'];

/** An action from the list; null continues the current one. */
export function actionIn(text: string, pick: Pick): Action | null {
  const isDaring = pick([true, false, false, false, false, false], 'daring') === true;
  const dares = isDaring || isUnseen(text);
  const choices = choicesIn(text).filter(({ type }) => dares || type !== 'kill');
  const first = FIRST.flatMap((type) => choices.filter((one) => one['type'] === type)).at(0);
  if (first !== undefined) return first;
  const usual = USUAL.flatMap((type) => choices.filter((one) => one['type'] === type));
  return pick(usual, 'action') ?? pick(choices, 'anything') ?? null;
}

/** Whether only the victim and partners would see a murder. */
function isUnseen(text: string): boolean {
  const partners = namesIn(/Fellow impostors?: ([^\n.]*)/.exec(text)?.[1] ?? '');
  const near = namesIn(/^With you: ([^\n.]*)/m.exec(text)?.[1] ?? '');
  return (
    near.filter((name) => !partners.includes(name)).length === 1 && !text.includes('In sight:')
  );
}

/** Lines such as `- {"type": "kill", "whom": "white"} possible now`. Actions possible later are left out. */
function choicesIn(text: string): readonly Action[] {
  const now = text.slice(text.lastIndexOf('# Decide what to do next'));
  const always = text.slice(text.lastIndexOf('# You can always'));
  const list = now.includes('"surface"') ? now : always;
  return [...list.matchAll(/^- (\{.*?\})(.*)$/gm)].flatMap(([, json = '', meaning = '']) => {
    if (/\b(possible|works) in [\d.]+ s|does not work|as soon as|not yet/.test(meaning)) return [];
    const read = actionSchema.safeParse(JSON.parse(json));
    return read.success && read.data['type'] !== null ? [read.data] : [];
  });
}
