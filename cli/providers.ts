/** What flags of models ask for before anything else is done: variables out of a file, and a provider that is known. */
import { parseEnv } from 'node:util';
import { suggestWord } from '../actors/engine/suggestion.ts';
import { PROVIDER_NAMES } from '../actors/minds/openai/providers.ts';
import { realProcess } from '../actors/ports/process.ts';
import { createFailure, EXIT } from './exit.ts';
import { nameOf, openEnvironmentText } from './input.ts';
import { shorten } from './output.ts';

/** Sets the variables of a file that are not set yet. */
export async function addEnvironment(path: string): Promise<void> {
  const variables = Object.entries(parseEnv(await openEnvironmentText(path)));
  if (variables.length === 0) {
    const text = `${nameOf(path)}: expected environment variables, a NAME=value a line, found none`;
    throw createFailure(EXIT.configuration, 'env/no-variables', text);
  }
  for (const [name, value = ''] of variables) realProcess.addVariable(name, value);
}

export function refuseUnknownProvider(provider: string): void {
  if (PROVIDER_NAMES.includes(provider)) return;
  const meant = suggestWord(provider, PROVIDER_NAMES);
  const help = meant === null ? '' : `; did you mean "${meant}"?`;
  const text = `--provider: expected one of ${PROVIDER_NAMES.join(', ')}, found ${JSON.stringify(shorten(provider))}${help}`;
  throw createFailure(EXIT.usage, 'usage/invalid-argument', text);
}
