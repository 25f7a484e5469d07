/** A profile: model options in a YAML file. One that may hold a secret is refused, and the secret is not repeated. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { InvalidArgumentError, type Option } from 'commander';
import { z } from 'zod';
import { type FileKind, readConfig } from '../actors/engine/configFile.ts';
import { didYouMean } from '../actors/engine/suggestion.ts';
import { createFailure, EXIT, Failure, nameOf, shorten } from '../actors/files/failure.ts';
import { openText } from '../actors/files/openFiles.ts';
import { PROVIDER_NAMES } from '../actors/minds/openai/providers.ts';
import { findSecret } from '../actors/minds/secrets.ts';
import { isOpenToOthers } from '../actors/ports/disk.ts';
import { realProcess } from '../actors/ports/process.ts';

/** The options of the profile with this name or path, by attribute name. `all` are those that it may have. */
export async function openProfile(
  name: string,
  all: readonly Option[],
): Promise<ReadonlyMap<string, unknown>> {
  const path = /[/\\]|\.ya?ml$/.test(name) ? name : join(ownFolder(), `${name}.yaml`);
  const options = all.filter(({ negate }) => !negate);
  const reading = readConfig(createKind(options), await openText(path, 'profile'));
  if (reading.ok) return readOptions(options, reading.value);
  const keys = options.map(keyOf).join(', ');
  const notes = reading.notes.map(({ code, text }) => ({ code, text: `${nameOf(path)}: ${text}` }));
  throw new Failure(EXIT.configuration, [
    ...notes,
    { code: 'profile/keys', text: `${nameOf(path)}: the keys of a profile are ${keys}` },
  ]);
}

/** The user's folder for configuration, by the XDG Base Directory Specification. A profile there is trusted. */
function ownFolder(): string {
  const { XDG_CONFIG_HOME: own, APPDATA: windows } = realProcess.environment;
  const shared = realProcess.isWindows ? windows : undefined;
  const folder = join(own || shared || join(homedir(), '.config'), 'glassbox');
  if (!isOpenToOthers(folder)) return folder;
  const text = `other users of this machine can write to ${folder}: expected a folder that only you can write to, or the path of a profile`;
  throw createFailure(EXIT.configuration, 'profile/not-trusted', text);
}

type Profile = Readonly<Record<string, unknown>>;

function createKind(options: readonly Option[]): FileKind<Profile> {
  const shape = Object.fromEntries(
    options.map((option) => [
      keyOf(option),
      z
        .unknown()
        .optional()
        .superRefine((value, { addIssue }) => {
          const wrong = value === undefined ? null : findMistake(option, value);
          if (wrong !== null) addIssue({ code: 'custom', input: value, ...wrong });
        }),
    ]),
  );
  return {
    schema: z.strictObject(shape),
    area: 'profile',
    noun: 'profile',
    keys: 'of its options',
  };
}

function keyOf({ long }: Option): string {
  return (long ?? '').slice(2);
}

type Mistake = { readonly message: string; readonly params?: { readonly isSecret: true } };

function findMistake(option: Option, value: unknown): Mistake | null {
  const refuse = (message: string) => ({ message, params: { isSecret: true as const } });
  const secret = findSecret(value);
  if (secret !== null)
    return refuse(`expected no secret (${secret}): "key" names the variable that holds it`);
  try {
    readValue(option, value);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const message = error.message
      .replace(/\.$/, '')
      .replace(/^Allowed choices are/, 'expected one of');
    return ['--key', '--headers'].includes(option.long ?? '') ? refuse(message) : { message };
  }
}

function readValue(option: Option, value: unknown): unknown {
  if (!option.required) {
    if (typeof value === 'boolean') return value;
    throw new InvalidArgumentError('expected true or false');
  }
  const takesFields = ['--extra-body', '--headers'].includes(option.long ?? '');
  if (takesFields !== (typeof value === 'object' && value !== null))
    throw new InvalidArgumentError(takesFields ? 'expected keys with values' : 'expected a value');
  if (typeof value === 'boolean') throw new InvalidArgumentError('expected a value');
  const text = takesFields ? JSON.stringify(value) : String(value);
  return option.parseArg === undefined ? text : option.parseArg(text, undefined);
}

function readOptions(options: readonly Option[], profile: Profile): ReadonlyMap<string, unknown> {
  return new Map(
    options.flatMap((option) => {
      const value = profile[keyOf(option)];
      return value === undefined
        ? []
        : [[option.attributeName(), readValue(option, value)] as const];
    }),
  );
}

/** Sets the variables of a file that are not set yet. */
export async function addEnvironment(path: string): Promise<void> {
  const variables = Object.entries(parseEnv(await openText(path, 'environment')));
  if (variables.length === 0) {
    const text = `${nameOf(path)}: expected environment variables, a NAME=value a line, found none`;
    throw createFailure(EXIT.configuration, 'env/no-variables', text);
  }
  for (const [name, value = ''] of variables) realProcess.addVariable(name, value);
}

export function refuseUnknownProvider(provider: string): void {
  if (PROVIDER_NAMES.includes(provider)) return;
  const help = didYouMean(provider, PROVIDER_NAMES);
  const text = `--provider: expected one of ${PROVIDER_NAMES.join(', ')}, found ${JSON.stringify(shorten(provider))}${help}`;
  throw createFailure(EXIT.usage, 'usage/invalid-argument', text);
}
