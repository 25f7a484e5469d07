/** Providers: endpoints by short name, with the usual environment variable for the key. */

type Provider = {
  readonly baseUrl: string;
  /** Null for servers without keys. */
  readonly key: string | null;
};

const PROVIDERS = {
  openai: { baseUrl: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', key: 'ANTHROPIC_API_KEY' },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'GEMINI_API_KEY',
  },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', key: 'MISTRAL_API_KEY' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' },
  xai: { baseUrl: 'https://api.x.ai/v1', key: 'XAI_API_KEY' },
  together: { baseUrl: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' },
  fireworks: { baseUrl: 'https://api.fireworks.ai/inference/v1', key: 'FIREWORKS_API_KEY' },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1', key: 'CEREBRAS_API_KEY' },
  ollama: { baseUrl: 'http://localhost:11434/v1', key: null },
  lmstudio: { baseUrl: 'http://localhost:1234/v1', key: null },
  llamacpp: { baseUrl: 'http://localhost:8080/v1', key: null },
  vllm: { baseUrl: 'http://localhost:8000/v1', key: null },
} satisfies Readonly<Record<string, Provider>>;

export const DEFAULT_URL = PROVIDERS.openai.baseUrl;

const BY_NAME: ReadonlyMap<string, Provider> = new Map(Object.entries(PROVIDERS));

export const PROVIDER_NAMES = [...BY_NAME.keys()];

export function findBaseUrl(name: string): string | null {
  return BY_NAME.get(name)?.baseUrl ?? null;
}

/** Without a slash at the end, and without the path of completions, which is easily pasted along. */
export function trimUrl(baseUrl: string): string {
  return baseUrl.replace(/(?:\/+chat\/completions)?\/*(?=\?|$)/, '');
}

/** Without the query and user, which may hold a key. */
export function stripUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return trimUrl(url === null ? '' : `${url.origin}${url.pathname}`);
}

export function findKeyVariable(baseUrl: string): string | null {
  return BY_NAME.get(findProviderName(baseUrl) ?? '')?.key ?? null;
}

export function findProviderName(baseUrl: string): string | null {
  const bare = trimUrl(baseUrl);
  return [...BY_NAME].find(([, one]) => one.baseUrl === bare)?.[0] ?? null;
}
