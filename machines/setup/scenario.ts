/**
 * A scenario: everything that is fixed before a meeting begins, as people write it and as the journal keeps it.
 *
 * The schema is the wire form, in snake_case. Defaults are filled in when a scenario is resolved, so that a journal
 * says everything and a later change of defaults can't change a replay.
 */
import { z } from 'zod';
import { defaultOptions, RANGES } from '../rules/options.ts';
import { COLOURS, DEEDS, LEVELS, PLACES, ROLES, RULE_SETS, TEMPERAMENTS } from '../types.ts';

const colour = z.enum(COLOURS);
/** A number of a table of ranges: whole where its step is, and on its step. */
export const range = ({ least, most, step }: { least: number; most: number; step: number }) => {
  const number = (Number.isInteger(step) ? z.int() : z.number()).min(least).max(most);
  return step === 1 ? number : number.multipleOf(step);
};
const weight = z.number();

const sightingSchema = z.strictObject({
  ago: z.number().min(0).describe('Seconds before the meeting'),
  who: colour.describe('Who was there; the own colour for the own path'),
  place: z.enum(PLACES),
  did: z.enum(DEEDS).default('passing'),
});

const personaSchema = z.strictObject({
  name: z.string().min(1).max(80),
  temperament: z.enum(TEMPERAMENTS),
  notes: z.string().max(4000).default(''),
});

const MIND_KINDS = ['scripted', 'silent', 'openai', 'human'] as const;
const VOTING_HABITS = ['freely', 'after-nudge'] as const;

export const seatSchema = z.strictObject({
  colour,
  role: z.enum(ROLES).default('crewmate'),
  dead: z.boolean().default(false),
  persona: z
    .union([z.enum(TEMPERAMENTS), personaSchema])
    .optional()
    .describe('A temperament of the offline minds, or a persona of your own'),
  mind: z.enum(MIND_KINDS).default('scripted').describe('Who thinks for this seat'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of the model; `mind: openai` wants one'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Endpoint that speaks the OpenAI protocol, such as http://localhost:11434/v1'),
  key: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]{0,39}$/,
      'expected the name of an environment variable, never a key',
    )
    .optional()
    .describe('Environment variable that holds the key'),
  level: z.enum(LEVELS).optional().describe('How much strategy the model is told'),
  temperature: z.number().min(0).max(2).optional(),
  extra_body: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Sent along as it is, such as {reasoning_effort: low}'),
  votes: z.enum(VOTING_HABITS).default('freely').describe('Whether it votes before the nudge'),
  leaves: z.int().min(0).optional().describe('The tick in which this player gets up and leaves'),
  saw: z.array(sightingSchema).default([]),
  notes: z.string().max(4000).default('').describe('What else the player knows, in prose'),
});

const callSchema = z.strictObject({
  by: colour.describe('Who called the meeting'),
  report: colour.optional().describe('Whose body was reported; leave it out for the button'),
  place: z.enum(PLACES).optional().describe('Where the body lay'),
  buttons_left: z.int().min(0).max(9).default(1),
  cooldown: z.number().min(0).max(60).default(0).describe('Seconds until the button works again'),
  crisis: z.enum(['reactor', 'o2', 'lights', 'comms']).nullable().default(null),
});

const weightsSchema = z.strictObject({
  mention: weight.optional(),
  accusation: weight.optional(),
  recent_speaker: weight.optional(),
  voted: weight.optional(),
  silence: z
    .strictObject({
      slope: weight.optional(),
      grace: weight.optional(),
      cap: weight.nullable().optional(),
    })
    .optional(),
});

/** Optional here means: the default of `rules/options.ts`. */
export const optionsSchema = z.strictObject({
  rules: z.enum(RULE_SETS).optional(),
  confirm_ejects: z.boolean().optional(),
  anonymous_votes: z.boolean().optional(),
  discussion_time: range(RANGES.discussionTime).optional(),
  voting_time: range(RANGES.votingTime).optional(),
  seconds_per_tick: range(RANGES.secondsPerTick).optional(),
  vote_after: range(RANGES.voteAfter).nullable().optional(),
  max_ticks: range(RANGES.maxTicks).nullable().optional(),
  patience: range(RANGES.patience).optional(),
  nudge_after: range(RANGES.nudgeAfter).optional(),
  nudge_every: range(RANGES.nudgeEvery).optional(),
  token_target: range(RANGES.tokenTarget).optional(),
  message_tokens: range(RANGES.messageTokens).optional(),
  deadline_ms: range(RANGES.deadlineMs).optional(),
  beat_ms: range(RANGES.beatMs).optional(),
  weights: weightsSchema.optional(),
});

export const ghostsSchema = z.strictObject({
  present: z.boolean().default(true).describe('Whether the dead watch at all'),
  budget: z.int().min(0).max(10_000).default(30).describe('Turns of ghost talk in this meeting'),
});

export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(120),
  about: z.string().max(2000).default(''),
  options: optionsSchema.default({}),
  call: callSchema,
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
  seats: z.array(seatSchema),
});

/** A scenario as it is written: most of it optional. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioSeat = Scenario['seats'][number];

/** The options of a scenario for a table of `living` players, defaults filled in. */
export function optionsOf(scenario: Pick<Scenario, 'options'>, living: number) {
  const base = defaultOptions(living);
  const { weights = {}, ...given } = scenario.options;
  return {
    rules: given.rules ?? base.rules,
    confirmEjects: given.confirm_ejects ?? base.confirmEjects,
    anonymousVotes: given.anonymous_votes ?? base.anonymousVotes,
    discussionTime: given.discussion_time ?? base.discussionTime,
    votingTime: given.voting_time ?? base.votingTime,
    secondsPerTick: given.seconds_per_tick ?? base.secondsPerTick,
    voteAfter: given.vote_after ?? base.voteAfter,
    maxTicks: given.max_ticks ?? base.maxTicks,
    patience: given.patience ?? base.patience,
    nudgeAfter: given.nudge_after ?? base.nudgeAfter,
    nudgeEvery: given.nudge_every ?? base.nudgeEvery,
    tokenTarget: given.token_target ?? base.tokenTarget,
    messageTokens: given.message_tokens ?? base.messageTokens,
    deadlineMs: given.deadline_ms ?? base.deadlineMs,
    beatMs: given.beat_ms ?? base.beatMs,
    weights: {
      mention: weights.mention ?? base.weights.mention,
      accusation: weights.accusation ?? base.weights.accusation,
      recentSpeaker: weights.recent_speaker ?? base.weights.recentSpeaker,
      voted: weights.voted ?? base.weights.voted,
      silence: {
        slope: weights.silence?.slope ?? base.weights.silence.slope,
        grace: weights.silence?.grace ?? base.weights.silence.grace,
        cap: weights.silence?.cap ?? base.weights.silence.cap,
      },
    },
  };
}

/** The same options as a scenario writes them, with nothing left to a default. `beat_ms` is pace, not play. */
export function wireOptions(options: ReturnType<typeof optionsOf>): z.output<typeof optionsSchema> {
  const { mention, accusation, recentSpeaker, voted, silence } = options.weights;
  return {
    rules: options.rules,
    confirm_ejects: options.confirmEjects,
    anonymous_votes: options.anonymousVotes,
    discussion_time: options.discussionTime,
    voting_time: options.votingTime,
    seconds_per_tick: options.secondsPerTick,
    vote_after: options.voteAfter,
    max_ticks: options.maxTicks,
    patience: options.patience,
    nudge_after: options.nudgeAfter,
    nudge_every: options.nudgeEvery,
    token_target: options.tokenTarget,
    message_tokens: options.messageTokens,
    deadline_ms: options.deadlineMs,
    weights: { mention, accusation, recent_speaker: recentSpeaker, voted, silence },
  };
}
