/**
 * The format of eval logs of Inspect AI, version 2, as far as we write it.
 *
 * Its own schema is larger: this one, kept by hand, has the fields that a log of ours has and no others, so that a test
 * finds a field that is misspelt or has the wrong type. Field names are those of the format.
 */
import { z } from 'zod';

/** The version of the format, and the release of Inspect with whose schema our logs were held together last. */
export const INSPECT_FORMAT = { version: 2, release: '0.3.260' } as const;

const amount = z.int().nonnegative();
/** A moment in UTC, as in 2026-11-22T17:00:00.000Z. */
const moment = z.iso.datetime();
const details = z.record(z.string(), z.unknown());
const nothing = z.strictObject({});

const usageSchema = z.strictObject({
  /** Without those that came from the cache. */
  input_tokens: amount,
  output_tokens: amount,
  /** All of them, with those from the cache. */
  total_tokens: amount,
  input_tokens_cache_read: amount.nullable(),
  /** In dollars. */
  total_cost: z.number().nonnegative().nullable(),
});
export type InspectUsage = z.infer<typeof usageSchema>;
const usageByName = z.record(z.string(), usageSchema);

const userMessage = z.strictObject({
  id: z.string(),
  role: z.literal('user'),
  content: z.string(),
  metadata: details,
});
const assistantMessage = z.strictObject({
  id: z.string(),
  role: z.literal('assistant'),
  content: z.string(),
  model: z.string(),
  metadata: details,
});
export type InspectUserMessage = z.infer<typeof userMessage>;
export type InspectAssistantMessage = z.infer<typeof assistantMessage>;

const outputSchema = z.strictObject({
  model: z.string(),
  choices: z
    .array(z.strictObject({ message: assistantMessage, stop_reason: z.enum(['stop', 'unknown']) }))
    .max(1),
  completion: z.string(),
  usage: usageSchema.nullable(),
  /** In seconds. */
  time: z.number().nonnegative().nullable(),
  error: z.string().nullable(),
});
export type InspectOutput = z.infer<typeof outputSchema>;

const scoreSchema = z.strictObject({
  value: z.number(),
  answer: z.string().nullable(),
  explanation: z.string(),
  history: z.tuple([]),
});
export type InspectScore = z.infer<typeof scoreSchema>;

const eventFields = {
  timestamp: moment,
  /** Seconds since the match began. */
  working_start: z.number().nonnegative(),
};
const modelEvent = z.strictObject({
  ...eventFields,
  event: z.literal('model'),
  model: z.string(),
  /** The colour. */
  role: z.string(),
  input: z.array(userMessage),
  tools: z.tuple([]),
  tool_choice: z.literal('none'),
  config: nothing,
  output: outputSchema,
  error: z.string().nullable(),
  completed: moment,
  working_time: z.number().nonnegative(),
  metadata: details,
});
export type InspectModelEvent = z.infer<typeof modelEvent>;
const scoreEvent = z.strictObject({
  ...eventFields,
  event: z.literal('score'),
  scorer: z.string(),
  score: scoreSchema,
  target: z.string(),
  intermediate: z.literal(false),
});

const sampleSchema = z.strictObject({
  id: z.string(),
  epoch: z.literal(1),
  input: z.string(),
  target: z.string(),
  messages: z.array(z.discriminatedUnion('role', [userMessage, assistantMessage])),
  output: outputSchema,
  scores: z.record(z.string(), scoreSchema),
  metadata: details,
  store: nothing,
  events: z.array(z.discriminatedUnion('event', [modelEvent, scoreEvent])),
  model_usage: usageByName,
  role_usage: usageByName,
  started_at: moment,
  completed_at: moment.nullable(),
  attachments: nothing,
});
export type InspectSample = z.infer<typeof sampleSchema>;

const metricSchema = z.strictObject({ name: z.string(), value: z.number(), params: nothing });
const resultSchema = z.strictObject({
  name: z.string(),
  scorer: z.string(),
  scored_samples: amount,
  unscored_samples: amount,
  params: nothing,
  metrics: z.record(z.string(), metricSchema),
});
export type InspectResult = z.infer<typeof resultSchema>;

const specSchema = z.strictObject({
  eval_id: z.string(),
  run_id: z.string(),
  created: moment,
  task: z.string(),
  task_id: z.string(),
  task_version: amount,
  task_attribs: nothing,
  task_args: details,
  task_args_passed: details,
  dataset: z.strictObject({
    name: z.string(),
    samples: amount,
    sample_ids: z.array(z.string()),
    shuffled: z.literal(false),
  }),
  model: z.string(),
  model_generate_config: nothing,
  model_args: nothing,
  model_roles: z.record(
    z.string(),
    z.strictObject({
      model: z.string(),
      config: z.strictObject({ temperature: z.number().optional() }),
      base_url: z.string().nullable(),
      args: nothing,
    }),
  ),
  config: z.strictObject({ epochs: z.literal(1) }),
  packages: z.record(z.string(), z.string()),
  metadata: details,
});

export const inspectLogSchema = z.strictObject({
  version: z.literal(INSPECT_FORMAT.version),
  status: z.enum(['started', 'success', 'cancelled']),
  eval: specSchema,
  plan: z.strictObject({
    name: z.literal('plan'),
    steps: z
      .array(z.strictObject({ solver: z.string(), params: details, params_passed: details }))
      .length(1),
    config: nothing,
  }),
  results: z
    .strictObject({
      total_samples: amount,
      completed_samples: amount,
      scores: z.array(resultSchema),
    })
    .nullable(),
  stats: z.strictObject({
    started_at: moment,
    /** Empty while the match goes on. */
    completed_at: z.union([moment, z.literal('')]),
    model_usage: usageByName,
    role_usage: usageByName,
    connection_limit_history: z.tuple([]),
  }),
  invalidated: z.literal(false),
  tags: z.tuple([]),
  metadata: nothing,
  samples: z.array(sampleSchema),
});
export type InspectLog = z.infer<typeof inspectLogSchema>;
