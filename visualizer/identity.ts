import type { KnownPlayer } from '../machines/journal/projection.ts';
import { MINDS } from '../machines/rules/mindKinds.ts';
import { listWords } from '../machines/text.ts';

/** The company or group behind a model, and its two letters. The letters are our own, not a logo. */
export type ModelVendor = { readonly name: string; readonly mark: string };

/** The first vendor found counts, so models made of Llama are their makers'. "gpt" is not found in "chatgptlike". */
const VENDORS = [
  ['Anthropic', 'An', 'claude|anthropic'],
  ['OpenAI', 'Op', 'gpt|chatgpt|o[134]|openai|codex'],
  ['Google', 'Go', 'gemini|gemma|google'],
  ['DeepSeek', 'De', 'deepseek'],
  ['NVIDIA', 'Nv', 'nemotron|nvidia'],
  ['Nous Research', 'No', 'hermes|nous'],
  ['Alibaba', 'Al', 'qwen|qwq|alibaba'],
  ['Mistral AI', 'Mi', 'mi[sx]tral|magistral|ministral|codestral|devstral|pixtral'],
  ['xAI', 'Xa', 'grok|x-ai|xai'],
  ['Cohere', 'Co', 'command|c4ai|aya|cohere'],
  ['Microsoft', 'Ms', 'phi|wizardlm|microsoft'],
  ['Moonshot AI', 'Mo', 'kimi|moonshot'],
  ['Z.ai', 'Za', 'glm|chatglm|z-ai|zhipu|thudm'],
  ['MiniMax', 'Mm', 'minimax'],
  ['Amazon', 'Am', 'nova|titan|amazon'],
  ['IBM', 'Ib', 'granite|ibm'],
  ['Ai2', 'A2', 'olmo|tulu|allenai'],
  ['AI21 Labs', '21', 'jamba|ai21'],
  ['Tencent', 'Te', 'hunyuan|tencent'],
  ['Baidu', 'Ba', 'ernie|baidu'],
  ['ByteDance', 'By', 'doubao|seed|bytedance'],
  ['TII', 'Ti', 'falcon|tiiuae'],
  ['Hugging Face', 'Hf', 'smollm|huggingface'],
  ['Liquid AI', 'Li', 'lfm|liquid'],
  ['Meta', 'Me', 'llama|meta'],
].map(([name = '', mark = '', words = '']) => ({
  vendor: { name, mark },
  pattern: new RegExp(`(?:^|[^a-z0-9])(?:${words})(?![a-z])`, 'i'),
}));

export function findVendor(model: string): ModelVendor | null {
  return VENDORS.find(({ pattern }) => pattern.test(model))?.vendor ?? null;
}

/** "claude-opus-4.5" of "anthropic/claude-opus-4.5-20251101": no maker, for that is the mark's, and no date. */
export function shortenModel(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1).replace(/:free$/, '');
  return last.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '') || model;
}

type PlayedSeat = Pick<KnownPlayer, 'mind' | 'model'>;

/** The model or other mind: "gpt-5.2", "a script"; '' if hidden. */
export function nameMind({ mind, model }: PlayedSeat): string {
  if (model !== '') return shortenModel(model);
  return (mind && MINDS[mind]?.label) ?? '';
}

/** All known facts about a player's mind: "openai/gpt-5.2 by OpenAI, as joker"; '' if hidden. */
export function describeMind(player: Pick<KnownPlayer, 'mind' | 'model' | 'persona'>): string {
  const { model, persona } = player;
  const vendor = findVendor(model);
  const who = model === '' ? nameMind(player) : model;
  const by = vendor === null ? '' : ` by ${vendor.name}`;
  return [`${who}${by}`, persona && `as ${persona}`].filter(Boolean).join(', ');
}

const MOST_NAMED = 5;

/** "claude-opus-4.5, gpt-5.2 and 3 more", each model once in the order of the seats; '' where none is known. */
export function listModels(players: readonly PlayedSeat[]): string {
  const all = [...new Set(players.map(({ model }) => shortenModel(model)))].filter(Boolean);
  const named = all.slice(0, all.length > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED);
  const rest = all.length - named.length;
  return listWords(rest === 0 ? named : [...named, `${rest} more`]);
}

/** The title of a document: "10 players: claude-opus-4.5 and gpt-5.2 · The Glass Box League". */
export function titleMatch(name: string, players: readonly PlayedSeat[]): string {
  const models = listModels(players);
  return joinParts(`${name}${models === '' ? '' : `: ${models}`}`, 'The Glass Box League');
}

export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

export function describeMatch(isGame: boolean, players: readonly PlayedSeat[]): string {
  const what = `${isGame ? 'A game' : 'A meeting'} of Among Us with ${players.length} players`;
  const models = listModels(players);
  const who = models === '' ? '' : `, played by ${models}`;
  return `${what}${who}: every message and every vote, step by step, in a glass box.`;
}
