/** The HTTP routes of an OpenEnv server. `POST /reset` and `POST /step` play in an environment of their own each. */
import { isRecord, parseJson } from '../../machines/text.ts';
import { ENGINE } from '../../machines/versions.ts';
import { NO_METHOD, OPENENV_SCHEMAS, type OpenEnvHost, OpenEnvSession } from './openenv.ts';

type Request = { readonly method: string; readonly path: string; readonly body: string };
type JsonAnswer = { readonly type: 'json'; readonly status: number; readonly text: string };

const METADATA = {
  name: 'glass-box-league',
  description: 'Games of Among Us, played seat by seat against offline players or models.',
  version: ENGINE,
  documentation_url: null,
};

const FIXED: Readonly<Record<string, object>> = {
  'GET /health': { status: 'healthy' },
  'GET /metadata': METADATA,
  'GET /schema': OPENENV_SCHEMAS,
  'GET /state': { episode_id: null, step_count: 0 },
  'POST /mcp': NO_METHOD,
};

const PLAYED = ['POST /reset', 'POST /step'];

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: METADATA.name, version: ENGINE },
  paths: Object.fromEntries(
    [...Object.keys(FIXED), ...PLAYED].map((route) => {
      const [method = '', path = ''] = route.split(' ');
      const responses = { 200: { description: 'the answer as JSON' } };
      return [path, { [method.toLowerCase()]: { responses } }];
    }),
  ),
};

/** Null for a path that is no route. */
export async function answerOpenEnv(
  { method, path, body }: Request,
  host: OpenEnvHost,
): Promise<JsonAnswer | null> {
  const route = `${method} ${path}`;
  if (route === 'GET /openapi.json') return answer(200, OPENAPI);
  const fixed = FIXED[route];
  if (fixed !== undefined) return answer(200, fixed);
  if (!PLAYED.includes(route)) return null;
  const fields = body === '' ? {} : (parseJson(body) ?? null);
  const session = new OpenEnvSession(host);
  using _closed = { [Symbol.dispose]: () => session.close() };
  const ask = async (type: string, data: unknown) =>
    parseJson((await session.ask({ type, data })) ?? '');
  if (route === 'POST /reset') return unwrap(await ask('reset', fields));
  await ask('reset', {});
  return unwrap(await ask('step', isRecord(fields) ? (fields['action'] ?? null) : null));
}

function unwrap(frame: unknown): JsonAnswer {
  const { type, data } = isRecord(frame) ? frame : {};
  if (type !== 'error' || !isRecord(data)) return answer(200, isRecord(data) ? data : {});
  const isInvalid = data['code'] === 'VALIDATION_ERROR';
  return answer(isInvalid ? 422 : 400, { detail: data['errors'] ?? data['message'] });
}

function answer(status: number, value: object): JsonAnswer {
  return { type: 'json', status, text: JSON.stringify(value) };
}
