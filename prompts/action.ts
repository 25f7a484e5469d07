/** The prompt of the action phase. */

import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import { INTENTS, type IntentType, LONGEST_WAIT } from '../machines/rules/ship/orders.ts';
import type { ActionView, ShipScene } from '../machines/rules/ship/views.ts';
import type { Trigger } from '../machines/rules/ship/world.ts';
import { listWords } from '../machines/text.ts';
import {
  createPassingBlock,
  createStableBlock,
  joinSections,
  notes,
  oneOf,
  type PromptParts,
  record,
  thought,
  type WireField,
  writeSection,
} from './block.ts';
import { type ActionChoice, listChoices, listTargets } from './choices.ts';
import type { Identity } from './personas.ts';
import {
  listTruth,
  writeDeath,
  writeDeedsSince,
  writeDelay,
  writePast,
  writeRecord,
} from './recordText.ts';
import { buildSystem, MAIN_SCRATCH, THOUGHT, writeReplyFormat, writeVents } from './rules.ts';
import {
  writeImpostorAdvice,
  writeNotices,
  writePads,
  writeRole,
  writeSeenEarlier,
  writeSeenOnShip,
  writeSelf,
} from './viewText.ts';

const WHY: Readonly<Record<Trigger, string>> = {
  begun: 'a stretch of the game begins',
  arrived: 'you have arrived',
  done: 'you have nothing left to do',
  refused: 'what you set out to do was not possible',
  company: 'players came or went',
  body: 'you see a body',
  alarm: 'a sabotage began or ended',
  ready: 'you can kill again',
  witness: 'you saw a crime',
};

/** Why the button cannot be pressed now. Empty if it can, or never again. */
function writeButtonState({ buttons, buttonWait, crisis }: ShipScene): string {
  if (buttons === 0) return '';
  if (crisis !== null) return 'The button does not work during the sabotage.';
  return buttonWait <= 0 ? '' : `The button works ${writeDelay(buttonWait)}.`;
}

/** The players alive after the last meeting. The text stays the same until the next one. */
export function writeKnownLiving({ scene: { seats }, record: known }: ActionView): string {
  const when = known.meetings.length === 0 ? 'at the start' : 'after the last meeting';
  return `Living ${when}: ${seats.join(', ')}`;
}

export function listSceneLines({ you, scene, truth, record: known }: ActionView) {
  const { why, place, vent, bar, shut, killWait, sabotageWait } = scene;
  const once = vent === null ? '' : ', once you are out of the vent';
  const canSabotage = sabotageWait !== null && scene.crisis === null;
  return [
    why.length === 0 ? '' : `You are asked because ${listWords(why.map((one) => WHY[one]))}.`,
    vent === null ? `You are in ${place}.` : `You are inside vent ${vent}, in ${place}.`,
    you.isGhost ? '' : writeCompany(scene),
    ...scene.bodies.map((body) => `There is the body of ${body.victim} in ${body.place}.`),
    writeCrisis(scene),
    shut.length === 0 ? '' : `Doors shut: ${shut.join(', ')}`,
    bar === null ? '' : `Tasks of the whole crew: ${bar.done} of ${bar.all} steps`,
    writeHeads(scene),
    scene.cameraLight ? 'The light of the camera here is on: a player is watching.' : '',
    killWait === null || you.isGhost ? '' : `You can kill ${writeDelay(killWait)}${once}.`,
    canSabotage ? `You can sabotage ${writeDelay(sabotageWait)}.` : '',
    you.isGhost ? '' : writeButtonState(scene),
    ...(truth === null ? [] : ['The truth (ghosts only):', ...listTruth(truth, known, false)]),
  ].filter((line) => line !== '');
}

function writeCompany({ here, company, place }: ShipScene): string {
  const elsewhere = here.filter((seen) => seen.place !== place);
  const near = company.length === 0 ? 'Nobody is with you.' : `With you: ${company.join(', ')}.`;
  if (elsewhere.length === 0) return near;
  return `${near} In sight: ${elsewhere.map((seen) => `${seen.who} in ${seen.place}`).join(', ')}.`;
}

function writeCrisis({ crisis }: ShipScene): string {
  if (crisis === null) return '';
  const { system, seconds, consoles, done } = crisis;
  const time = seconds === null ? '' : `, ${seconds} s left`;
  const entered = done.length === 0 ? '' : `; done in ${listWords(done)}`;
  return `Sabotaged: ${system}${time}. Fixed in ${listWords([...new Set(consoles)])}${entered}.`;
}

function writeHeads({ heads }: ShipScene): string {
  if (heads === null) return '';
  const counted = Object.entries(heads).map(([room, count]) => `${room} ${count}`);
  return `The Admin table shows: ${counted.length === 0 ? 'nobody' : counted.join(', ')}`;
}

export function writeIntent(intent: NonNullable<ShipScene['intent']>): string {
  const target = listTargets(intent).map((name) => SCREENS[name] ?? name);
  return [DOING[intent.type], ...target].join(' ');
}

const DOING: Readonly<Record<IntentType, string>> = {
  wait: 'waiting',
  go: 'going to',
  follow: 'following',
  task: 'doing',
  fake: 'faking',
  kill: 'killing',
  vent: 'moving to vent',
  surface: 'climbing out',
  sabotage: 'sabotaging',
  shut: 'shutting the doors of',
  fix: 'fixing in',
  report: 'reporting',
  button: 'going to press the button',
  watch: 'watching',
};

const SCREENS: Record<string, string> = { cameras: 'the cameras', admin: 'the Admin table' };

/** Actions possible from anywhere but a vent. They change only as tasks get done, so a provider can cache them. */
const STANDING: readonly IntentType[] = ['task', 'fake', 'watch', 'button', 'wait'];

function isStanding({ actions: [action] }: ActionChoice): boolean {
  return action !== undefined && STANDING.includes(action.type);
}

function writeChoices({ you, scene }: ActionView, now: readonly ActionChoice[]): string {
  return writeSection('Decide what to do next. You can now', [
    scene.intent === null ? '' : `- {"type": null} go on: you are ${writeIntent(scene.intent)}`,
    ...now.map(writeChoice),
    `${writeRole(you)} Choose one of these actions${scene.vent === null ? ', or one that you can always choose' : ''}.`,
  ]);
}

function writeChoice({ actions: [action], names, meaning }: ActionChoice): string {
  let fields = '';
  for (const name in action) {
    const value = action[name];
    const comma = fields === '' ? '' : ', ';
    fields += `${comma}"${name}": ${typeof value === 'number' ? value : `"${value}"`}`;
  }
  const [, ...others] = names;
  const also = others.length === 0 ? '' : `or ${others.join(', ')}`;
  const words = [also, meaning].filter((part) => part !== '').join('; ');
  return `- {${fields}}${words === '' ? '' : ` ${words}`}`;
}

const ACTION_REPLY = writeReplyFormat([
  THOUGHT,
  '- action.type: what to do next; null goes on with what you are doing.',
  '- action.to: a place. action.whom: a player. action.vent, action.task, action.system, action.what: as in the lists of what you can do. What an action does not need is null.',
  `- action.rounds: for how long to wait, follow or watch, from 1 to ${LONGEST_WAIT}.`,
  MAIN_SCRATCH,
]);

/** In tokens: a thought, an action and some notes. */
const ACTION_TOKENS = 600;

export function buildActionPrompt(view: ActionView, identity: Identity): PromptParts {
  const { you, rules, map, options, record, truth, scene } = view;
  const choices = listChoices(view);
  const isInVent = scene.vent !== null;
  const standing = isInVent ? [] : choices.filter(isStanding);
  const now = isInVent ? choices : choices.filter((choice) => !isStanding(choice));
  return {
    system: buildSystem({ rules, ship: { map, options } }, 'ship', ACTION_REPLY),
    user: [
      createStableBlock(`${writeRecord(record, false)}\n${writeKnownLiving(view)}\n\n`),
      createStableBlock(
        `${joinSections(
          writeSelf(you, identity, you.isGhost ? writeDeath(you.colour, truth) : ''),
          you.isGhost ? '' : writeImpostorAdvice(you, identity, false),
          you.isGhost || you.role === 'crewmate' ? '' : writeVents(map),
          writePast(you.past),
          writeSeenEarlier(you.past, you.colour),
        )}\n\n`,
      ),
      createPassingBlock(
        joinSections(
          writeSection('You can always', standing.map(writeChoice)),
          writeSeenOnShip(you, you.colour),
          writeDeedsSince(you.deeds),
          writePads(you.pads),
          writeSection(
            `The engine, round ${view.round}, at ${view.round * SECONDS_PER_ROUND} s`,
            listSceneLines(view),
          ),
          writeNotices(you.notices),
          writeChoices(view, now),
        ),
      ),
    ],
    schema: ACTION_SCHEMA,
    schemaNow: buildActionSchema(listFieldsNow(choices)),
    schemaName: 'action',
    maxTokens: ACTION_TOKENS,
  };
}

const TARGETS = ['to', 'vent', 'whom', 'task', 'system', 'what'];

/** One flat record, with null for unused fields. */
function buildActionSchema(fields: readonly (readonly [name: string, field: WireField])[]) {
  return record({
    internal_thought: thought,
    action: record({
      ...Object.fromEntries(fields),
      rounds: { type: ['integer', 'null'], minimum: 1, maximum: LONGEST_WAIT },
    }),
    scratchpad_updates: notes('main_scratch'),
  });
}

const ACTION_SCHEMA = buildActionSchema([
  ['type', oneOf(INTENTS)],
  ...TARGETS.map((name) => [name, { type: ['string', 'null'], maxLength: 40 }] as const),
]);

/** Each field has the words that some action can take now. */
function listFieldsNow(choices: readonly ActionChoice[]) {
  const fields = new Map<string, Set<string>>(
    ['type', ...TARGETS].map((name) => [name, new Set()]),
  );
  for (const { actions } of choices) {
    for (const name in actions[0]) {
      const words = fields.get(name);
      if (words !== undefined) for (const action of actions) words.add(String(action[name]));
    }
  }
  return [...fields].flatMap(([name, words]) =>
    words.size === 0 ? [] : [[name, oneOf(words)] as const],
  );
}
