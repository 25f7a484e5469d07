/**
 * A collector of OpenTelemetry over real sockets: decodes what it is sent by the official protobuf definitions, and keeps
 * it; it refuses, stalls or takes a part when it is told to.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

/** The messages of opentelemetry-proto, compiled by its maintainers. They are CommonJS without types of their own. */
type Codec = {
  decode(bytes: Uint8Array): unknown;
  encode(message: object): { finish(): Uint8Array };
  fromObject(value: object): object;
  verify(message: object): string | null;
  toObject(message: unknown, options: object): unknown;
};

const codecs = z.object({
  ExportTraceServiceRequest: z.custom<Codec>((value) => typeof value === 'function'),
  ExportTraceServiceResponse: z.custom<Codec>((value) => typeof value === 'function'),
});
const generated: unknown = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
);
const officialSchema = z.object({
  opentelemetry: z.object({
    proto: z.object({ collector: z.object({ trace: z.object({ v1: codecs }) }) }),
  }),
});
const OFFICIAL = officialSchema.parse(generated).opentelemetry.proto.collector.trace.v1;

const valueSchema = z.unknown();
const attributesSchema = z.array(z.object({ key: z.string(), value: valueSchema })).default([]);
const spanSchema = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  events: z.array(z.looseObject({ name: z.string(), attributes: attributesSchema })).default([]),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
});
const tracesSchema = z.object({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.looseObject({
          scope: z.object({ name: z.string(), version: z.string() }),
          spans: z.array(spanSchema).default([]),
        }),
      ),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema>;
export type CollectedTraces = z.infer<typeof tracesSchema>;

/** Whatever the official definitions say that the bytes are, in the form of OTLP/JSON. */
export function decodeOfficially(bytes: Uint8Array): CollectedTraces {
  const codec = OFFICIAL.ExportTraceServiceRequest;
  const value = codec.toObject(codec.decode(bytes), { longs: String, bytes: String });
  return tracesSchema.parse(toHexIds(value));
}

/** The protocol writes ids in hexadecimal, where protobuf has base64. */
function toHexIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toHexIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      ['traceId', 'spanId', 'parentSpanId'].includes(key)
        ? Buffer.from(String(inner), 'base64').toString('hex')
        : toHexIds(inner),
    ]),
  );
}

/** Reads OTLP/JSON by the official definitions: an unknown field, or one of another type, is refused. */
export function readOfficially(text: string): CollectedTraces {
  const codec = OFFICIAL.ExportTraceServiceRequest;
  const value: unknown = JSON.parse(text, (key, inner) =>
    ['traceId', 'spanId', 'parentSpanId'].includes(key)
      ? Buffer.from(String(inner), 'hex').toString('base64')
      : inner,
  );
  const message = codec.fromObject(Object(value));
  const wrong = codec.verify(message);
  if (wrong !== null) throw new Error(wrong);
  return decodeOfficially(codec.encode(message).finish());
}

/** A response in which a part was refused, as the official definitions write it. */
export function encodePartialSuccess(rejectedSpans: number, errorMessage: string): Uint8Array {
  const codec = OFFICIAL.ExportTraceServiceResponse;
  const message = codec.fromObject({ partialSuccess: { rejectedSpans, errorMessage } });
  return codec.encode(message).finish();
}

/** What a collector does with a request: it takes it, answers otherwise, or says nothing at all. */
export type CollectorReply =
  | 'take'
  | 'silence'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Uint8Array | string;
    };

export class Collector {
  /** Every request, in the order of coming; those that were refused too. */
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly url: string }[] = [];
  readonly taken: CollectedTraces[] = [];
  readonly #server: Server;

  private constructor(reply: (nth: number) => CollectorReply) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('error', () => response.destroy());
      request.on('end', () => {
        const { headers, url = '' } = request;
        const type = headers['content-type'] ?? '';
        const what = reply(this.requests.length);
        this.requests.push({ headers, url });
        if (what === 'silence') return;
        if (what !== 'take') {
          response.writeHead(what.status, { 'content-type': type, ...what.headers });
          response.end(what.body ?? '');
          return;
        }
        const whole = Buffer.concat(parts);
        const body = headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
        const isJson = type === 'application/json';
        this.taken.push(isJson ? readOfficially(body.toString('utf8')) : decodeOfficially(body));
        response.writeHead(200, { 'content-type': type });
        response.end(isJson ? '{}' : '');
      });
    });
  }

  static async open(reply: (nth: number) => CollectorReply = () => 'take'): Promise<Collector> {
    const collector = new Collector(reply);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    collector.#server.once('error', reject);
    collector.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return collector;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it is closed');
    return `http://127.0.0.1:${address.port}`;
  }

  get spans(): readonly CollectedSpan[] {
    return this.taken.flatMap(spansOf);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

export function spansOf({ resourceSpans }: CollectedTraces): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

const scalarSchema = z.union([
  z.object({ stringValue: z.string() }).transform((it) => it.stringValue),
  z.object({ boolValue: z.boolean() }).transform((it) => it.boolValue),
  z.object({ intValue: z.string() }).transform((it) => Number(it.intValue)),
  z.object({ doubleValue: z.number() }).transform((it) => it.doubleValue),
  z.looseObject({}),
]);

/** The attributes of a span, or of what sends it, by their names. */
export function attributesOf({
  attributes,
}: {
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, scalarSchema.parse(value)]));
}
