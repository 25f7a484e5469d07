/** Rows of the table: paid services, routers and proxies, with the words of their documentation and issues. */
import { isCorrected, tokenLimit } from './asked.ts';
import { always, atFirst, rowsOf, type Step, whenever, without } from './case.ts';
import { completion, json, page, refusal, said } from './sent.ts';
import { inMode, WHOLE_TEXT } from './words.ts';

const RETRY = 'Please try again in';

/** An error as Gemini sends it to OpenAI clients: in a list, with Google's own fields in its details. */
function google(code: number, status: string, message: string, details: readonly object[] = []) {
  return json(code, [{ error: { code, message, status, details } }]);
}

const QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.';

function googleQuota(quotaId: string, retryDelay: string) {
  return google(429, 'RESOURCE_EXHAUSTED', QUOTA, [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [
        {
          quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
          quotaId,
          quotaDimensions: { location: 'global', model: 'gemini-2.5-flash' },
          quotaValue: '10',
        },
      ],
    },
    {
      '@type': 'type.googleapis.com/google.rpc.Help',
      links: [{ description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev' }],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
  ]);
}

function anthropic(status: number, type: string, message: string, headers = {}) {
  return json(status, { type: 'error', error: { type, message }, request_id: 'req_011C' }, headers);
}

function mistral(status: number, message: string, type: string, code: string | null) {
  return json(status, { object: 'error', message, type, param: null, code });
}

/** What OpenRouter sends for a failure of the provider behind it. */
function openRouter(code: number, raw: string, more: object = {}) {
  return refusal(code, 'Provider returned error', { code, metadata: { raw, ...more } });
}

const AZURE =
  'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-05-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier.';

const FILTER_RESULT = {
  hate: { filtered: false, severity: 'safe' },
  jailbreak: { filtered: false, detected: false },
  violence: { filtered: true, severity: 'medium' },
};

/** The moment of the tests and half a minute. */
const RESET_AT = Date.UTC(2026, 10, 21, 12, 0, 30);

export const HOSTED: Readonly<Record<string, readonly Step[]>> = {
  ...rowsOf(always, {
    '101': refusal(
      429,
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 46000. The input or output tokens must be reduced in order to run successfully.',
      { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
    ),
    '102': refusal(
      413,
      'Request too large for model `llama-3.1-70b-versatile` in organization `org_x` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    '103': refusal(
      429,
      `Rate limit reached for model \`llama-3.3-70b-versatile\` in organization \`org_x\` service tier \`on_demand\` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. ${RETRY} 9m38.016s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    '106': openRouter(
      429,
      'z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations',
      { provider_name: 'BaseTen', limit_source: 'upstream_provider_shared_pool' },
    ),
    '107': refusal(
      402,
      'This request requires more credits, or fewer max_tokens. You requested up to 16384 tokens, but can only afford 3919. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
      { code: 402, metadata: { provider_name: null } },
    ),
    '110': refusal(
      404,
      'No endpoints found matching your data policy (Free model publication). Configure: https://openrouter.ai/settings/privacy',
      { code: 404 },
    ),
    '113': refusal(429, `${AZURE} Please retry after 86400 seconds.`, { code: '429' }),
    '114': refusal(
      400,
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      {
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: FILTER_RESULT,
        },
      },
    ),
    '115': json(200, {
      choices: [
        {
          index: 0,
          finish_reason: 'content_filter',
          message: { role: 'assistant' },
          content_filter_results: FILTER_RESULT,
        },
      ],
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTER_RESULT }],
    }),
    '116': refusal(
      404,
      'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
      { code: 'DeploymentNotFound' },
    ),
    '117': refusal(404, 'Resource not found', { code: '404' }),
    '118': refusal(
      401,
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
      { code: '401' },
    ),
    '120': googleQuota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '36s'),
    '123': completion({}, { reason: 'content_filter: PROHIBITED_CONTENT' }),
    '124': google(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
    '125': google(
      403,
      'PERMISSION_DENIED',
      'Your API key was reported as leaked. Please use another API key.',
    ),
    '126': anthropic(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
    '128': anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    '129': anthropic(
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ),
    '136': json(402, {
      id: 'o3LiXw4',
      error: {
        message:
          'Credit limit exceeded. Please navigate to https://api.together.xyz/settings/billing to add credit or upgrade your plan.',
        type: 'credit_limit',
        param: null,
        code: null,
      },
    }),
    '138': json(429, {
      code: 'Some resource has been exhausted',
      error:
        'Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
    }),
    '139': json(403, {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai/team/481c7584.",
    }),
    '140': json(403, {
      code: 'permission-denied',
      error: 'You have run out of credits or need a Grok subscription.',
    }),
    '146': refusal(
      429,
      'Your account org-78cd request reached organization TPD rate limit, current: 1526210, limit: 1500000',
      { type: 'rate_limit_reached_error' },
    ),
    '147': refusal(
      403,
      'Your account org-78cd is not active, organization org-78cd exceeded current quota, please check your plan and billing details',
      { type: 'exceeded_current_quota_error' },
    ),
    '148': refusal(400, 'Input data may contain inappropriate content.', {
      code: 'data_inspection_failed',
      param: null,
      type: 'data_inspection_failed',
    }),
    '149': refusal(400, 'Access denied, please make sure your account is in good standing.', {
      code: 'Arrearage',
      param: null,
      type: 'Arrearage',
    }),
    '150': json(402, {
      error:
        'You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO to get 20x more monthly included credits.',
    }),
    '152': refusal(
      429,
      'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 43015 seconds before retrying.',
      { code: 'RateLimitReached' },
    ),
    '156': refusal(
      400,
      '/chat/completions: Invalid model name passed in model=gpt-9. Call `/v1/models` to view available models for your key.',
      { type: 'invalid_request_error', param: 'model', code: '400' },
    ),
    '157': json(404, {
      status: 404,
      title: 'Not Found',
      detail: "Function id 'a1' version 'b2': Specified function in account 'c3' is not found",
    }),
    '158': refusal(404, 'Model not found, inaccessible, and/or not deployed', {
      object: 'error',
      type: 'invalid_request_error',
      code: 'NOT_FOUND',
    }),
    '159': page(
      401,
      '<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body><center><h1>401 Authorization Required</h1></center></body></html>',
    ),
    '160': refusal(429, 'Insufficient balance or no resource package. Please recharge.', {
      code: '1113',
    }),
    '163': refusal(503, 'No available channel for model gpt-9 under group default (distributor)', {
      type: 'new_api_error',
      param: '',
      code: 'model_not_found',
    }),
  }),
  ...rowsOf(atFirst, {
    '100': refusal(
      429,
      `Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. ${RETRY} 2s.`,
      { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
      { 'retry-after': '2', 'retry-after-ms': '1234', 'x-ratelimit-reset-tokens': '2s' },
    ),
    '104': refusal(
      429,
      `Rate limit reached for model \`llama-3.3-70b-versatile\` in organization \`org_x\` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. ${RETRY} 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    '108': completion(
      { content: '{"internal_thought": "part' },
      {
        reason: 'error',
        more: { usage: { prompt_tokens: null, completion_tokens: null, total_tokens: 0 } },
      },
    ),
    '111': refusal(429, 'Rate limit exceeded: free-models-per-min. ', {
      code: 429,
      metadata: {
        headers: {
          'X-RateLimit-Limit': '20',
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(RESET_AT),
        },
      },
    }),
    '112': refusal(
      429,
      `${AZURE} Please retry after 26 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.`,
      { code: '429' },
    ),
    '119': googleQuota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '26s'),
    '121': google(
      429,
      'RESOURCE_EXHAUSTED',
      'No capacity available for model gemini on the server',
    ),
    '127': anthropic(
      429,
      'rate_limit_error',
      "This request would exceed your account's rate limit. Please try again later.",
      { 'retry-after': '13' },
    ),
    '131': mistral(
      429,
      'Service tier capacity exceeded for this model.',
      'invalid_request_error',
      null,
    ),
    '132': mistral(429, 'Rate limit exceeded', 'rate_limited', '1300'),
    '134': said(WHOLE_TEXT.slice(0, 30), 'insufficient_system_resource'),
    '137': refusal(
      429,
      'You have been rate limited. Your rate limit is 60 queries per minute. Please navigate to https://api.together.xyz/settings/billing to upgrade to a paid plan.',
      { type: 'credit_limit', param: null, code: null },
    ),
    '141': json(429, {
      message: 'Tokens per minute limit exceeded - too many tokens processed.',
      type: 'too_many_requests_error',
      param: 'quota',
      code: 'token_quota_exceeded',
    }),
    '142': json(429, {
      message: 'Requests per second limit exceeded - too many requests sent.',
      type: 'too_many_requests_error',
      param: 'quota',
      code: 'request_quota_exceeded',
    }),
    '143': json(429, {
      message: "We're experiencing high traffic right now! Please try again soon.",
      type: 'too_many_requests_error',
      param: 'queue',
      code: 'queue_exceeded',
    }),
    '144': refusal(429, 'The engine is currently overloaded, please try again later', {
      type: 'engine_overloaded_error',
    }),
    '145': refusal(
      429,
      'Your account org-78cd<ak-f94z> request reached organization max RPM: 20, please try again after 1 seconds',
      { type: 'rate_limit_reached_error' },
    ),
    '151': json(429, {
      errors: [
        {
          message: 'AiError: AiError: Capacity temporarily exceeded, please try again. (7d7a)',
          code: 3040,
        },
      ],
      success: false,
      result: {},
      messages: [],
    }),
    '153': refusal(
      429,
      'No deployments available for selected model, Try again in 60 seconds. Passed model=claude-3-haiku-20240307.',
      { type: 'None', param: 'None', code: '429' },
    ),
    '154': refusal(
      408,
      'litellm.Timeout: APITimeoutError - Request timed out. Error_str: Request timed out.',
      { type: null, param: null, code: '408' },
    ),
    '161': said(WHOLE_TEXT.slice(0, -1), 'model_context_window_exceeded'),
    '162': refusal(429, '当前分组上游负载已饱和，请稍后再试 (request id: 2026)', {
      type: 'upstream_error',
      param: '',
      code: 429,
    }),
  }),
  '105': [
    whenever(
      inMode('json_schema', 'json_object'),
      refusal(
        400,
        "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
        { type: 'invalid_request_error', code: 'json_validate_failed', failed_generation: '{' },
      ),
    ),
    whenever(
      inMode('tool'),
      refusal(
        400,
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        { type: 'invalid_request_error', code: 'tool_use_failed', failed_generation: '<fun' },
      ),
    ),
  ],
  '109': [
    whenever(
      inMode('json_schema'),
      openRouter(
        400,
        '{"error":{"message":"Invalid schema for response_format \'meeting_reply\'","type":"invalid_request_error","param":"text.format.schema","code":"invalid_json_schema"}}',
        { provider_name: 'OpenAI' },
      ),
    ),
    whenever(
      inMode('json_object'),
      openRouter(
        400,
        '{\n  "error": {\n    "message": "Response input messages must contain the word \'json\' in some form to use \'text.format\' of type \'json_object\'.",\n    "type": "invalid_request_error",\n    "param": "input",\n    "code": null\n  }\n}',
        { provider_name: 'OpenAI' },
      ),
    ),
  ],
  '122': [
    whenever(
      (asked) => tokenLimit(asked) <= 1_000,
      json(200, {
        choices: [{ finish_reason: 'length', index: 0, message: { role: 'assistant' } }],
        usage: { completion_tokens: 0, prompt_tokens: 21, total_tokens: 81 },
      }),
    ),
  ],
  '130': [
    without(
      'temperature',
      anthropic(400, 'invalid_request_error', '`temperature` is deprecated for this model.'),
    ),
  ],
  '133': [
    without(
      'max_tokens',
      refusal(
        400,
        "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
        { type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
      ),
    ),
  ],
  '135': [
    atFirst(said('Red is lying, I am sure of it.')),
    whenever(
      isCorrected,
      refusal(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.', {
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      }),
    ),
  ],
  '155': [
    without(
      'seed',
      refusal(
        400,
        "litellm.UnsupportedParamsError: ollama does not support parameters: ['seed'], for model=gemma3. To drop these, set `litellm.drop_params=True` or for proxy: `litellm_settings: drop_params: true`",
        { type: 'None', param: null, code: '400' },
      ),
    ),
  ],
};
