/**
 * The wire format of OpenTelemetry traces (OTLP 1.x): spans as OTLP/JSON has them, and the same as protobuf.
 *
 * A span is written once, in the form of OTLP/JSON; the binary form is read off it by a table of the fields that are used
 * here. Ids are lower-case hexadecimal, times nanoseconds since 1970 and whole numbers of 64 bits, both as decimal text.
 */

/** Exactly one of the fields. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly OtlpAttribute[] } };

export type OtlpAttribute = { readonly key: string; readonly value: OtlpValue };

type OtlpEvent = {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
};

export type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the root. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events?: readonly OtlpEvent[];
  readonly status?: { readonly code: number; readonly message?: string };
};

/** What sends the spans. */
export type OtlpResource = { readonly attributes: readonly OtlpAttribute[] };

/** A request of the trace service, and a line of a file of traces. */
export type OtlpTraces = {
  readonly resourceSpans: readonly {
    readonly resource: OtlpResource;
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
};

/** `SPAN_KIND_INTERNAL` and `SPAN_KIND_CLIENT`. */
export const SPAN_KIND = { internal: 1, client: 3 } as const;
/** `STATUS_CODE_ERROR`; a span without a status is unset. */
export const STATUS_ERROR = 2;

type PlainValue =
  | string
  | boolean
  | bigint
  | number
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue };

/** A value of an attribute. A bigint becomes a whole number and a number a double, so that a name keeps its type. */
export function toOtlpValue(value: PlainValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number') return { doubleValue: value };
  if (isList(value)) return { arrayValue: { values: value.map(toOtlpValue) } };
  return { kvlistValue: { values: toAttributes(value) } };
}

function isList(value: object): value is readonly PlainValue[] {
  return Array.isArray(value);
}

/** Attributes in the order of the names; those without a value are left out. */
export function toAttributes(
  values: Readonly<Record<string, PlainValue | null | undefined>>,
): readonly OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: toOtlpValue(value) }],
  );
}

const NANOSECONDS = 1_000_000n;

/** Milliseconds since 1970 as nanoseconds. */
export function toNanoseconds(epochMs: number): string {
  return String(BigInt(Math.max(0, Math.round(epochMs))) * NANOSECONDS);
}

/** A request with spans of one resource. */
export function toTraces(
  resource: OtlpResource,
  scope: { readonly name: string; readonly version: string },
  spans: readonly OtlpSpan[],
): OtlpTraces {
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

/* Protobuf: the same, by a table. */

type FieldKind = 'string' | 'hex' | 'bool' | 'varint' | 'fixed64' | 'double';
/** A name in quotes is a message of this table. */
type MessageField = readonly [number: number, kind: FieldKind | MessageName];
type MessageName = keyof typeof MESSAGES;

/** Fields by their name in JSON, with the numbers of opentelemetry-proto (trace, common and resource v1). */
const MESSAGES = {
  Traces: { resourceSpans: [1, 'ResourceSpans'] },
  ResourceSpans: { resource: [1, 'Resource'], scopeSpans: [2, 'ScopeSpans'] },
  Resource: { attributes: [1, 'KeyValue'] },
  ScopeSpans: { scope: [1, 'Scope'], spans: [2, 'Span'] },
  Scope: { name: [1, 'string'], version: [2, 'string'] },
  Span: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    parentSpanId: [4, 'hex'],
    name: [5, 'string'],
    kind: [6, 'varint'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue'],
    events: [11, 'Event'],
    status: [15, 'Status'],
  },
  Event: { timeUnixNano: [1, 'fixed64'], name: [2, 'string'], attributes: [3, 'KeyValue'] },
  Status: { message: [2, 'string'], code: [3, 'varint'] },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  AnyValue: {
    stringValue: [1, 'string'],
    boolValue: [2, 'bool'],
    intValue: [3, 'varint'],
    doubleValue: [4, 'double'],
    arrayValue: [5, 'ArrayValue'],
    kvlistValue: [6, 'KeyValueList'],
  },
  ArrayValue: { values: [1, 'AnyValue'] },
  KeyValueList: { values: [1, 'KeyValue'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>>;

/** Wire types of protobuf. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/** A request as binary protobuf. */
export function encodeProtobuf(traces: OtlpTraces): Uint8Array<ArrayBuffer> {
  return Buffer.concat(encodeMessage('Traces', traces));
}

function encodeMessage(name: MessageName, message: object): Buffer[] {
  const fields: Readonly<Record<string, MessageField>> = MESSAGES[name];
  return Object.entries(message).flatMap(([key, value]) => {
    const field = fields[key];
    if (field === undefined) throw new Error(`${name} has no field ${key}`);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => encodeField(field, one));
  });
}

function encodeField([number, kind]: MessageField, value: unknown): Buffer[] {
  switch (kind) {
    case 'string':
      return encodeBytes(number, [Buffer.from(String(value))]);
    case 'hex':
      return encodeBytes(number, [Buffer.from(String(value), 'hex')]);
    case 'bool':
      return [encodeTag(number, VARINT), encodeVarint(value === true ? 1n : 0n)];
    case 'varint':
      return [encodeTag(number, VARINT), encodeVarint(BigInt(String(value)))];
    case 'fixed64': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(String(value)));
      return [encodeTag(number, FIXED64), bytes];
    }
    case 'double': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return [encodeTag(number, FIXED64), bytes];
    }
    default:
      return encodeBytes(number, encodeMessage(kind, Object(value)));
  }
}

function encodeBytes(number: number, parts: readonly Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [encodeTag(number, LENGTH), encodeVarint(BigInt(length)), ...parts];
}

function encodeTag(number: number, wireType: number): Buffer {
  return encodeVarint(BigInt(number * 8 + wireType));
}

const SEVEN_BITS = 0x7fn;
const MORE = 0x80;

/** Seven bits a byte, the lowest first; a negative number is the two's complement of 64 bits. */
function encodeVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > SEVEN_BITS) {
    bytes.push(Number(rest & SEVEN_BITS) + MORE);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/** What a collector says of a request: how many spans it left out, and in words why, or what is wrong. */
export type OtlpVerdict = { readonly rejected: number; readonly message: string };

/** Reads a body of the trace service: a response (200) or a status (others). What can't be read says nothing. */
export function readVerdict(body: Uint8Array, isJson: boolean, isAccepted: boolean): OtlpVerdict {
  try {
    return isJson ? readJsonVerdict(body) : readBinaryVerdict(body, isAccepted);
  } catch {
    return { rejected: 0, message: '' };
  }
}

function readJsonVerdict(body: Uint8Array): OtlpVerdict {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  const partial = fieldOf(value, 'partialSuccess');
  const message = fieldOf(partial, 'errorMessage') ?? fieldOf(value, 'message');
  const rejected = Number(fieldOf(partial, 'rejectedSpans') ?? 0);
  return {
    rejected: Number.isFinite(rejected) ? rejected : 0,
    message: typeof message === 'string' ? message : '',
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function readBinaryVerdict(body: Uint8Array, isAccepted: boolean): OtlpVerdict {
  const fields = readFields(body);
  // A status has its message in field 2; a response has the partial success in field 1.
  if (!isAccepted) return { rejected: 0, message: textOf(fields.get(2)) };
  const partial = fields.get(1);
  if (!(partial instanceof Uint8Array)) return { rejected: 0, message: '' };
  const told = readFields(partial);
  return { rejected: Number(told.get(1) ?? 0n), message: textOf(told.get(2)) };
}

function textOf(value: bigint | Uint8Array | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}

/** The fields of a message by their number: whole numbers and bytes. Throws where it is none. */
function readFields(bytes: Uint8Array): ReadonlyMap<number, bigint | Uint8Array> {
  const fields = new Map<number, bigint | Uint8Array>();
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= (BigInt(byte) & SEVEN_BITS) << shift;
      if (byte < MORE) return value;
    }
    throw new Error('a number breaks off');
  };
  const take = (length: number) => {
    if (at + length > bytes.length) throw new Error('a field breaks off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === VARINT) fields.set(number, readVarint());
    else if (wireType === LENGTH) fields.set(number, take(Number(readVarint())));
    else if (wireType === FIXED64) take(8);
    else if (wireType === FIXED32) take(4);
    else throw new Error('no message');
  }
  return fields;
}
